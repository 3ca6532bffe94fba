/**
 * Selectors of devices in CEL, the language of Kubernetes' device classes and claims. Begin at {@link io.gpusched.cel.CelSelectors}:
 *
 * <pre>{@code
 * CelSelectors cel = CelSelectors.create();
 * DeviceClass gpus = DeviceClass.of("gpu", cel.of("device.driver == 'gpu.nvidia.com'"));
 * }</pre>
 */
@NullMarked
package io.gpusched.cel;

import org.jspecify.annotations.NullMarked;
