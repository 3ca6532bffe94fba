package io.gpusched.kubernetes.write;

/** Is told what becomes of bindings, for metrics. */
public interface BindCounts {
    /** Counts nothing. */
    BindCounts NONE = new BindCounts() {
        @Override
        public void bound() {}

        @Override
        public void lost() {}

        @Override
        public void repeated() {}
    };

    /** A binding was written. */
    void bound();

    /** A binding was refused for good: the pod changed, went away, or was bound by another. */
    void lost();

    /** A write is tried again. */
    void repeated();
}
