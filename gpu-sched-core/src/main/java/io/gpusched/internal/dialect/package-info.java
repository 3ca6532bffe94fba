/** What several dialects share: reading amounts, building pods, GPUs in the words of HAMi and Volcano, plain GPU orders. */
@NullMarked
package io.gpusched.internal.dialect;

import org.jspecify.annotations.NullMarked;
