package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.yaml.YamlNode;

/**
 * A pod and where it stands.
 *
 * @param at the pod, or the template it is made from
 * @param pod the pod
 */
public record PodSource(YamlNode at, Pod pod) {}
