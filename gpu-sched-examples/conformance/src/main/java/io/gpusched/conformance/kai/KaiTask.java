package io.gpusched.conformance.kai;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import org.jspecify.annotations.Nullable;

/** One task of a job, and where it is. Changes from round to round. */
final class KaiTask {
    /** What KAI calls the states of a task. */
    enum Status {
        PENDING("pending"),
        STARTED("started"),
        RUNNING("running"),
        NOMINATED("nominated"),
        EVICTED("evicted"),
        STUCK("stuck-releasing"),
        FAILED("failed"),
        SUCCEEDED("succeeded");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        static Status of(YamlNode state) {
            for (Status status : values()) {
                if (status.word.equals(state.text())) {
                    return status;
                }
            }
            if (state.text().equals("releasing")) {
                return EVICTED;
            }
            throw state.error("must be the state of a task");
        }

        @Override
        public String toString() {
            return word;
        }
    }

    final String name;
    final String podSet;
    final Pod pod;
    Status status;

    @Nullable
    Placement place;

    KaiTask(String name, String podSet, Pod pod, Status status) {
        this.name = name;
        this.podSet = podSet;
        this.pod = pod;
        this.status = status;
    }

    /** Whether it holds its place. */
    boolean holds() {
        return status == Status.RUNNING || isEnding();
    }

    boolean isEnding() {
        return status == Status.EVICTED || status == Status.STUCK;
    }

    void become(Status next, @Nullable Placement where) {
        status = next;
        place = where;
    }

    /** What happens to it between two rounds: what started runs, what was evicted or nominated is pending again. */
    void endRound(boolean staysReleasing) {
        switch (status) {
            case STARTED -> status = Status.RUNNING;
            case NOMINATED -> become(Status.PENDING, null);
            case EVICTED -> {
                if (!staysReleasing) {
                    become(Status.PENDING, null);
                }
            }
            default -> {}
        }
    }

    /** Returns its state and node as a case writes them, the node only where the case names one. */
    String answer(boolean withNode) {
        return withNode && place != null ? status + " on " + place.node() : status.toString();
    }
}
