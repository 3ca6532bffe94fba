/**
 * Groups of pods that start together, in the four vocabularies that clusters use, read into one.
 *
 * <pre>{@code
 * Optional<GroupKey> group = GroupVocabulary.groupOf(pod);
 * GroupSpec spec = GroupVocabulary.KUBERNETES.read(object);
 * }</pre>
 */
@NullMarked
package io.gpusched.manifests.group;

import org.jspecify.annotations.NullMarked;
