/**
 * Which nodes a pod may go to by their labels and taints, where these are few.
 */
@NullMarked
package io.gpusched.internal.select;

import org.jspecify.annotations.NullMarked;
