package io.gpusched.manifests.group;

/**
 * Which group a pod belongs to.
 *
 * @param vocabulary whose group it is
 * @param namespace the namespace of the pod and the group
 * @param name the group's name
 */
public record GroupKey(GroupVocabulary vocabulary, String namespace, String name) {
    /** Returns how the library knows it: no two groups have one name. */
    public String unique() {
        return "group " + vocabulary + " " + this;
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
