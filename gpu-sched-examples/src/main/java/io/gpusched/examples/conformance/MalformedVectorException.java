package io.gpusched.examples.conformance;

/** A vector file that cannot be understood; the message names the file, the case and the field. */
public final class MalformedVectorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param file the file
     * @param caseId the case, or empty where the whole file is meant
     * @param field the field, such as {@code given.gpus[1].id}, or empty
     * @param problem what is wrong with it
     */
    public MalformedVectorException(String file, String caseId, String field, String problem) {
        super(file + (caseId.isEmpty() ? "" : ", case " + caseId) + (field.isEmpty() ? "" : ", field " + field) + ": "
                + problem);
    }
}
