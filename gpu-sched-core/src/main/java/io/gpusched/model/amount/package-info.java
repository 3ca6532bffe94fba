/**
 * Amounts of resources that are counted by name.
 *
 * <p>Begin with {@link io.gpusched.model.amount.NamedAmounts}:
 *
 * <pre>{@code
 * NamedAmounts has = NamedAmounts.of(Map.of("rdma/hca", 2L));
 * NamedAmounts asked = NamedAmounts.NONE.with("rdma/hca", 1);
 * if (asked.fitsIn(has)) {
 *     System.out.println(has.minus(asked).amount("rdma/hca"));
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.model.amount;

import org.jspecify.annotations.NullMarked;
