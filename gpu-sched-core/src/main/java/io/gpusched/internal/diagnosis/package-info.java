/**
 * Why a request found no room, worked out when asked for.
 */
@NullMarked
package io.gpusched.internal.diagnosis;

import org.jspecify.annotations.NullMarked;
