/**
 * Dynamic resource allocation: devices that drivers publish, claims that ask for them, and their allocation, exact or as
 * Kubernetes 1.38 would choose.
 *
 * <p>Begin at {@link io.gpusched.claim.ClaimAllocator}:
 *
 * <pre>{@code
 * Device gpu = Device.builder("gpu-0").attribute("model", AttributeValue.of("H100")).build();
 * NodeScope here = new NodeScope.Named("n1");
 * ResourceSlice slice = ResourceSlice.of("n1-gpus", "gpu.example.com", "n1", here, List.of(gpu));
 * DeviceClass gpus = DeviceClass.of("gpu", DeviceSelector.driver("gpu.example.com"));
 * Claim claim = Claim.of("c", Claim.Request.exactly(DeviceRequest.of("r", "gpu", 1)));
 * ClaimNode n1 = ClaimNode.of(state.node());
 * ClaimDecision decision =
 *         ClaimAllocator.exact().allocate(n1, List.of(slice), List.of(gpus), DevicesInUse.NONE, List.of(claim));
 * if (decision instanceof ClaimRefusal refused) {
 *     String why = refused.conflict().toString();
 * }
 * }</pre>
 *
 * <p>Amounts are exact ({@link io.gpusched.claim.DeviceAmount}); selectors are predicates, so no expression language is needed.
 */
@NullMarked
package io.gpusched.claim;

import org.jspecify.annotations.NullMarked;
