/** Amounts of one GPU, packed into a word. */
@NullMarked
package io.gpusched.internal.word;

import org.jspecify.annotations.NullMarked;
