package io.gpusched.model;

/** When a container of a pod runs, as Kubernetes tells them apart. */
public enum ContainerKind {
    /** An init container: it runs before the ordinary containers, beside the sidecars that started before it, and ends. */
    INIT,
    /** A sidecar: an init container that keeps running ({@code restartPolicy: Always}). It counts from its start on. */
    SIDECAR,
    /** An ordinary container: it runs beside all other ordinary containers and all sidecars. */
    ORDINARY
}
