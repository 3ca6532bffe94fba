/**
 * Kubernetes objects in the library's terms: fabric8's model classes in, the manifests that dialects read out. Whoever
 * has such objects, from files or from an API server, reads them alike.
 *
 * <p>{@link io.gpusched.manifests.objects.ManifestReader} is the entry; {@link
 * io.gpusched.manifests.objects.UnhonouredConstraints} says what of a pod constrains its place and is not honoured, so that
 * nobody passes over it in silence:
 *
 * <pre>{@code
 * NodeManifest node = ManifestReader.node(kubernetesNode);
 * PodManifest pod = ManifestReader.pod(kubernetesPod);
 * List<UnhonouredConstraint> left = UnhonouredConstraints.of(kubernetesPod, Set.of("nvidia.com/gpu"), Set.of());
 * Decision decision = dialect.schedule(Cluster.of(List.of(dialect.node(node))), pod);
 * }</pre>
 */
@NullMarked
package io.gpusched.manifests.objects;

import org.jspecify.annotations.NullMarked;
