/** Recorded answers of Kubernetes' allocator of devices for claims, and their runner. */
@NullMarked
package io.gpusched.conformance.dra;

import org.jspecify.annotations.NullMarked;
