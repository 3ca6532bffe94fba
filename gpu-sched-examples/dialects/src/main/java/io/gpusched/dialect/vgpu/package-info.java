/**
 * The vocabulary that HAMi and Volcano share: GPUs with slots, memory and compute, what a container asks of them and holds,
 * and the text in which both write that down. {@link io.gpusched.dialect.vgpu.VgpuCodec} reads the annotations of running
 * pods.
 *
 * <pre>{@code
 * String annotation = "GPU-8f3a,NVIDIA,4000,30:;";
 * for (List<VgpuShare> container : VgpuCodec.decode(annotation)) {
 *     for (VgpuShare share : container) {
 *         System.out.println(share.gpu() + " " + share.memoryMib() + " MiB");
 *     }
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.vgpu;

import org.jspecify.annotations.NullMarked;
