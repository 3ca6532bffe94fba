package io.gpusched.simulator.capacity;

import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.simulator.replay.ReplaySettings;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.simulator.trace.TracePod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A short text that is another for each input of a run, so that results of one input are not taken for those of another. */
final class Fingerprint {
    private static final int BYTES = 8;

    private Fingerprint() {}

    static String of(
            Scenario scenario, List<Node> nodes, ReplaySettings settings, String policy, Resampling resampling) {
        MessageDigest digest = digest();
        add(
                digest,
                settings,
                policy,
                resampling.blockSeconds(),
                resampling.seeds().isEmpty());
        for (TraceJob job : scenario.jobs()) {
            add(digest, job.name(), job.lifetime(), job.demand());
            for (TracePod pod : job.members()) {
                add(digest, pod.cpuMillis(), pod.memoryMib(), pod.gpus(), pod.gpuMillis(), pod.gpuSpec());
            }
        }
        for (Node node : nodes) {
            add(digest, node.name(), node.mode(), node.capacity(), node.maxPods(), node.topology(), node.labels());
            for (Gpu gpu : node.gpus()) {
                add(digest, gpu.model(), gpu.computeMillis(), gpu.memoryMib(), gpu.slots(), gpu.healthy());
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void add(MessageDigest digest, Object... values) {
        for (Object value : values) {
            digest.update(String.valueOf(value).getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
    }
}
