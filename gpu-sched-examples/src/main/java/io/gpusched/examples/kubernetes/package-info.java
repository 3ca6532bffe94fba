/**
 * The scheduler for Kubernetes: {@code gpu-sched kube}. It translates with fabric8's model classes, asks the library, and
 * writes back; no rule of placement lives here.
 *
 * <p>{@link io.gpusched.examples.kubernetes.KubeCommand} is the command, {@link
 * io.gpusched.examples.kubernetes.process.SchedulerProcess} what it starts.
 */
@NullMarked
package io.gpusched.examples.kubernetes;

import org.jspecify.annotations.NullMarked;
