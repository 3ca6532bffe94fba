/**
 * Where a pod can reach its volumes: bound ones by the node affinity of the volume, volumes that wait for their first consumer
 * by what their class allows.
 *
 * <pre>{@code
 * VolumeBook volumes = new VolumeBook();
 * volumes.put(claim);
 * VolumeNeeds needs = volumes.of(pod, claim -> isUsed(claim));
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.volume;

import org.jspecify.annotations.NullMarked;
