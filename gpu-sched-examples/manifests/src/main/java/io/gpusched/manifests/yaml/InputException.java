package io.gpusched.manifests.yaml;

/** Input that cannot be used; the message names file, line and field, each once and where it is known. */
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
        super(place(file, line, field) + ": " + problem);
    }

    private InputException(String message) {
        super(message);
    }

    /** Returns the exception that a text is not what it must be at a place: {@code file, line 4, column 7: problem}. */
    static InputException at(String file, int line, int column, String problem) {
        return new InputException(place(file, line, "") + (column > 0 ? ", column " + column : "") + ": " + problem);
    }

    /** Returns {@code file, line 4, field nodes[0].name}, without what is not known. */
    static String place(String file, int line, String field) {
        return file + (line > 0 ? ", line " + line : "") + (field.isEmpty() ? "" : ", field " + field);
    }
}
