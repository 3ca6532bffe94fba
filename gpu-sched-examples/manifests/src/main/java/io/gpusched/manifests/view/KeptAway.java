package io.gpusched.manifests.view;

import io.gpusched.model.Placement;
import io.gpusched.workload.PodSpec;
import java.util.stream.Stream;

/**
 * Whether pods that run may keep others away from fewer nodes than before: one that keeps others away left, its node changed, or
 * a namespace did. A place far from whatever changed may be free then. Not thread-safe.
 */
final class KeptAway {
    private boolean eased;

    /** A pod is gone, or asks something else from now on. */
    void left(RunningPod pod) {
        eased |= keepsOthersAway(pod);
    }

    /** A pod was not bound as assumed. */
    void left(Placement assumed) {
        eased |= assumed.spec().orElse(null) instanceof PodSpec spec
                && !spec.rules().antiAffinity().required().isEmpty();
    }

    /** A node changed, or is gone. */
    void changed(NodeEntry entry) {
        eased |= Stream.concat(entry.running.values().stream(), entry.residents.values().stream())
                .anyMatch(KeptAway::keepsOthersAway);
    }

    /** The labels of a namespace changed. */
    void changedNamespace() {
        eased = true;
    }

    private static boolean keepsOthersAway(RunningPod pod) {
        return !pod.manifest().rules().antiAffinity().required().isEmpty();
    }

    /** Returns whether that happened since this was asked last. */
    boolean take() {
        boolean taken = eased;
        eased = false;
        return taken;
    }
}
