/**
 * The record of what a pod holds, kept on the pod itself: one annotation that says which part of which GPU each container
 * has, and one annotation for each environment variable of each container.
 *
 * <p>{@link io.gpusched.manifests.grant.GrantRecord} writes and reads the first, {@link
 * io.gpusched.manifests.grant.GrantAnnotations} names all of them:
 *
 * <pre>{@code
 * Map<String, String> annotations = GrantAnnotations.of(placement, node, dialect.write(manifest, node, placement));
 * List<ContainerGrant> held = GrantRecord.read(annotations.get(GrantAnnotations.GRANT), manifest, node);
 * }</pre>
 */
@NullMarked
package io.gpusched.manifests.grant;

import org.jspecify.annotations.NullMarked;
