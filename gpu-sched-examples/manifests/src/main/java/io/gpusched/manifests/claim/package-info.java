/**
 * Dynamic resource allocation (DRA) as Kubernetes' objects say it: slices, classes, claims and what is allocated to them, as values of
 * {@code io.gpusched.claim}. Begin at {@link io.gpusched.manifests.claim.ClaimObjects}.
 */
@NullMarked
package io.gpusched.manifests.claim;

import org.jspecify.annotations.NullMarked;
