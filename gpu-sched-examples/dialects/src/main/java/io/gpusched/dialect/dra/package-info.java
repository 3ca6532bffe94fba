/**
 * Kubernetes' dynamic resource allocation: the claim that stands for the extended resources of a pod, where device classes offer
 * these instead of a device plugin. The allocation itself is {@link io.gpusched.claim}.
 *
 * <pre>{@code
 * ExtendedResources classes = ExtendedResources.of(List.of(
 *         new ExtendedResources.OfferedClass("gpu", Optional.of("nvidia.com/gpu"), createdSeconds)));
 * ExtendedResources.Split split = classes.split(containers, name -> allocatable.getOrDefault(name, 0L) > 0);
 * split.claim(); // to be allocated after the pod's own claims
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.dra;

import org.jspecify.annotations.NullMarked;
