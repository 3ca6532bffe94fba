package io.gpusched.manifests.objects;

/**
 * Something in a pod that constrains where it may go, or that wishes where it should go, and is not looked at.
 *
 * @param path the field, such as {@code spec.containers[0].ports[0].hostPort}
 * @param name what it is called, whichever container it stands in: a resource, or the field without positions
 * @param problem what it means that it is not looked at
 * @param required whether a place that disregards it may be wrong; if not, it may be worse than another
 */
public record UnhonouredConstraint(String path, String name, String problem, boolean required) {
    public static UnhonouredConstraint required(String path, String problem) {
        return new UnhonouredConstraint(path, path.replaceAll("\\[\\d+]", ""), problem, true);
    }

    static UnhonouredConstraint wish(String path, String problem) {
        return new UnhonouredConstraint(path, path.replaceAll("\\[\\d+]", ""), problem, false);
    }

    static UnhonouredConstraint resource(String path, String resource, String problem) {
        return new UnhonouredConstraint(path + "." + resource, resource, problem, true);
    }
}
