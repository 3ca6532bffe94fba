/** What several dialects share: reading amounts, building pods, GPUs in the words of HAMi and Volcano, plain GPU orders. */
@NullMarked
package io.gpusched.dialect.internal;

import org.jspecify.annotations.NullMarked;
