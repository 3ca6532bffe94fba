/**
 * The scheduler for Kubernetes: {@code gpu-sched kube}. It translates with fabric8's model classes, asks the library, and
 * writes back; no rule of placement lives here.
 *
 * <p>{@link io.gpusched.kubernetes.KubeCommand} is the command, {@link
 * io.gpusched.kubernetes.process.SchedulerProcess} what it starts.
 */
@NullMarked
package io.gpusched.kubernetes;

import org.jspecify.annotations.NullMarked;
