/**
 * Aliyun gpushare: the memory of a pod's containers together on one GPU. Start with
 * {@link io.gpusched.dialect.aliyun.AliyunGpuShareDialect}.
 *
 * <pre>{@code
 * AliyunGpuShareDialect aliyun = AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.GIB);
 * Node node = aliyun.node(NodeManifest.of("n1", Map.of(), Map.of("aliyun.com/gpu-mem", "64", "aliyun.com/gpu-count", "4")));
 * PodManifest pod = PodManifest.of(
 *         "p", List.of(ContainerManifest.limits("main", Map.of("aliyun.com/gpu-mem", "6"))));
 * Decision decision = DialectScheduler.of(aliyun).schedule(Cluster.of(List.of(node)), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.dialect.aliyun;

import org.jspecify.annotations.NullMarked;
