/**
 * What is held of the GPUs of a node, in a form that is fast to add up and to compare.
 */
@NullMarked
package io.gpusched.internal.usage;

import org.jspecify.annotations.NullMarked;
