package io.gpusched.manifests.objects;

/** A Kubernetes object that the API server would not accept; the message names the field. */
public final class ManifestException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String problem;

    /**
     * Creates the exception.
     *
     * @param path the field, such as {@code spec.tolerations[0].operator}
     * @param problem what is wrong with it
     */
    public ManifestException(String path, String problem) {
        super(path + ": " + problem);
        this.path = path;
        this.problem = problem;
    }

    /** Returns the field. */
    public String path() {
        return path;
    }

    /** Returns what is wrong with it, without its name. */
    public String problem() {
        return problem;
    }
}
