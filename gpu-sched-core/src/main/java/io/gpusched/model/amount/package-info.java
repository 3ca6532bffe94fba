/**
 * Amounts of resources that are counted by name.
 *
 * <pre>{@code
 * NamedAmounts amounts = NamedAmounts.of(Map.of("rdma/hca", 2L));
 * }</pre>
 */
@NullMarked
package io.gpusched.model.amount;

import org.jspecify.annotations.NullMarked;
