/**
 * A scheduler extender: a stock kube-scheduler chooses nodes, and asks here which of them have GPUs for a pod, which are
 * best, what to evict, and to bind the pod with the GPUs it gets.
 *
 * <p>The protocol is that of {@code k8s.io/kube-scheduler/extender/v1}. Nothing here decides what fits: pods and nodes are
 * translated, the library decides, and its answer is written down. {@link
 * io.gpusched.kubernetes.extender.Extender} holds the four verbs:
 *
 * <pre>{@code
 * Extender extender = new Extender(mirror, api, "gpu-sched", meters);
 * extender.serve(WebServer.builder("extender")).start("127.0.0.1", 39_999);
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.extender;

import org.jspecify.annotations.NullMarked;
