package io.gpusched.kubernetes.write;

import java.time.Duration;

/** Is told what becomes of bindings, for metrics. */
public interface BindCounts {
    /** Counts nothing. */
    BindCounts NONE = new BindCounts() {
        @Override
        public void bound(Duration sinceCreation) {}

        @Override
        public void lost() {}

        @Override
        public void repeated() {}
    };

    /** A binding was written, so long after its pod was created. */
    void bound(Duration sinceCreation);

    /** A binding was refused for good: the pod changed, went away, or was bound by another. */
    void lost();

    /** A write is tried again. */
    void repeated();
}
