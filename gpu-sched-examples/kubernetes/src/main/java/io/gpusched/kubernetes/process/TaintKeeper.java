package io.gpusched.kubernetes.process;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.write.Answers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps T9k's taint on its nodes for whole GPUs, and off all others: whoever does not ask for a whole GPU stays away from
 * them, whichever scheduler places it.
 */
final class TaintKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaintKeeper.class);
    private static final String WHOLE_GPUS = "xgn";
    private static final long RETRY_SECONDS = 5;

    private final KubernetesClient client;
    private final BooleanSupplier mayWrite;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread daemon = new Thread(work, "gpu-sched-taints");
        daemon.setDaemon(true);
        return daemon;
    });

    TaintKeeper(KubernetesClient client, BooleanSupplier mayWrite) {
        this.client = client;
        this.mayWrite = mayWrite;
    }

    /**
     * Looks at a node, and writes in the background if its taints must change; another change of the node comes back here. A write
     * that fails is tried again, for the same version of the node.
     */
    void look(Node node) {
        taints(node).ifPresent(taints -> write(node, taints, 0));
    }

    private void write(Node node, List<Taint> taints, long seconds) {
        try {
            ScheduledFuture<?> unused = thread.schedule(() -> write(node, taints), seconds, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("closed");
        }
    }

    /** Returns the taints that a node should have, or nothing if it has them. */
    static Optional<List<Taint>> taints(Node node) {
        Map<String, String> labels =
                Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
        boolean wanted = WHOLE_GPUS.equals(labels.get(T9kDialect.NODE_ALLOC_MODE));
        List<Taint> taints = new ArrayList<>(
                node.getSpec() == null ? List.of() : node.getSpec().getTaints());
        boolean there = taints.stream().anyMatch(TaintKeeper::isMark);
        if (wanted == there) {
            return Optional.empty();
        }
        if (wanted) {
            taints.add(new TaintBuilder()
                    .withKey(T9kDialect.XGN_TAINT.key())
                    .withValue(T9kDialect.XGN_TAINT.value())
                    .withEffect("NoSchedule")
                    .build());
        } else {
            taints.removeIf(TaintKeeper::isMark);
        }
        return Optional.of(taints);
    }

    private static boolean isMark(Taint taint) {
        return T9kDialect.XGN_TAINT.key().equals(taint.getKey());
    }

    private void write(Node node, List<Taint> taints) {
        if (!mayWrite.getAsBoolean()) {
            return;
        }
        Map<String, Object> patch = new HashMap<>();
        patch.put("metadata", Map.of("resourceVersion", node.getMetadata().getResourceVersion()));
        patch.put("spec", Map.of("taints", taints));
        try {
            client.nodes()
                    .withName(node.getMetadata().getName())
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            client.getKubernetesSerialization().asJson(patch));
        } catch (KubernetesClientException e) {
            LOG.atDebug()
                    .addKeyValue("node", node.getMetadata().getName())
                    .addKeyValue("status", e.getCode())
                    .log("taint not written");
            if (Answers.isPassing(e)) {
                write(node, taints, RETRY_SECONDS);
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
