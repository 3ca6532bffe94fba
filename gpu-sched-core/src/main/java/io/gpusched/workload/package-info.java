/**
 * What is asked: pods, their containers and GPU requests, and groups of pods that start together.
 *
 * <p>Begin at {@link io.gpusched.workload.Pod} and {@link io.gpusched.workload.GpuRequest}:
 *
 * <pre>{@code
 * Pod notebook = Pod.of("notebook", Resources.of(4_000, 16_384), GpuRequest.percent(25));
 * Pod trainer = Pod.builder("training/trainer-0")
 *         .container("main", Resources.of(32_000, 262_144), GpuRequest.exclusive(4, GpuSelector.models("A100")))
 *         .nodeSelector(NodeSelector.labels(Map.of("pool", "training")))
 *         .build();
 * PodGroup job = PodGroup.of("job", List.of(trainer)).withLocality(Locality.within("rack"));
 * }</pre>
 *
 * <p>Everything here is an immutable value, checked when it is built. An amount out of range throws
 * {@link java.lang.IllegalArgumentException} with a message that names the pod, the field, the value and the legal
 * range. Passing {@code null} to any method throws {@link java.lang.NullPointerException}.
 */
@NullMarked
package io.gpusched.workload;

import org.jspecify.annotations.NullMarked;
