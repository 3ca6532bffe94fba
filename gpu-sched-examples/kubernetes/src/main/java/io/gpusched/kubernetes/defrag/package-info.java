/**
 * Moves running pods so that whole nodes come about: by evictions that disruption budgets allow, a few at a time.
 *
 * <pre>{@code
 * DefragRound round = new DefragRound(DefragSettings.dryRun(), scope);
 * round.apply(changes);
 * DefragRound.Turn turn = round.decide(cluster, now);
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.defrag;

import org.jspecify.annotations.NullMarked;
