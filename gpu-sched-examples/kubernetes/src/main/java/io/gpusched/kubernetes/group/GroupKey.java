package io.gpusched.kubernetes.group;

/**
 * Which group a pod belongs to.
 *
 * @param vocabulary whose group it is
 * @param namespace the namespace of the pod and the group
 * @param name the group's name
 */
public record GroupKey(GroupVocabulary vocabulary, String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
