package io.gpusched.examples.place;

/** Input that cannot be used; the message names file, line and field. */
public final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param file the file
     * @param line the line, from 1; 0 where it is not known
     * @param field the field, such as {@code nodes[0].gpus.count}, or empty
     * @param problem what is wrong
     */
    public InputException(String file, int line, String field, String problem) {
        super(file + (line > 0 ? ", line " + line : "") + (field.isEmpty() ? "" : ", field " + field) + ": " + problem);
    }
}
