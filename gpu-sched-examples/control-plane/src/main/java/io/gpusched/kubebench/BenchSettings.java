package io.gpusched.kubebench;

import java.time.Duration;
import java.util.List;

/**
 * The cluster that schedulers are measured on, and how.
 *
 * @param nodes how many nodes
 * @param gpusPerNode GPUs of each node
 * @param nodesPerRack nodes with the same label {@link BenchObjects#RACK}
 * @param clients how many requests create objects at one time
 * @param patience how long to wait for the last pod to be bound
 * @param javaOptions more options of the JVM that {@code gpu-sched kube} runs in
 * @param kubeOptions more options of {@code gpu-sched kube}
 */
public record BenchSettings(
        int nodes,
        int gpusPerNode,
        int nodesPerRack,
        int clients,
        Duration patience,
        List<String> javaOptions,
        List<String> kubeOptions) {
    /** Copies the lists and checks the ranges. */
    public BenchSettings {
        javaOptions = List.copyOf(javaOptions);
        kubeOptions = List.copyOf(kubeOptions);
        atLeastOne("nodes", nodes);
        atLeastOne("gpusPerNode", gpusPerNode);
        atLeastOne("nodesPerRack", nodesPerRack);
        atLeastOne("clients", clients);
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("settings: " + name + " must be at least 1, got " + value);
        }
    }
}
