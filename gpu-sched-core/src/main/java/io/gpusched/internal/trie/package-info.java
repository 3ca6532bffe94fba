/**
 * Persistent maps by hash: {@link io.gpusched.internal.trie.HashTrie} from keys to values, and the leaner
 * {@link io.gpusched.internal.trie.HandleTrie} from hashes to numbers. They know no type of the field.
 */
@NullMarked
package io.gpusched.internal.trie;

import org.jspecify.annotations.NullMarked;
