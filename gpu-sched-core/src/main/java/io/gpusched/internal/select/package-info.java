/**
 * Which nodes a pod may go to by their labels, taints and free resources, where these are few.
 */
@NullMarked
package io.gpusched.internal.select;

import org.jspecify.annotations.NullMarked;
