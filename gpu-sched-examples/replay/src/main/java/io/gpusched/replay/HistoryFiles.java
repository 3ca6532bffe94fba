package io.gpusched.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a history in a folder: {@code history-000001.jsonl.gz} and so on. */
record HistoryFiles(Path folder) {
    /** The version of the form that is written, and the only one that is read. */
    static final int FORMAT = 1;

    private static final Pattern NAME = Pattern.compile("history-(\\d{6,9})\\.jsonl\\.gz");

    static HistoryFiles create(Path folder) throws IOException {
        Files.createDirectories(folder);
        return new HistoryFiles(folder);
    }

    Path path(int number) {
        return folder.resolve(String.format(java.util.Locale.ROOT, "history-%06d.jsonl.gz", number));
    }

    /** Returns the numbers of the files that are there, ascending. */
    List<Integer> numbers() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> Integer.parseInt(name.group(1)))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the number of the last file, 0 if there is none. */
    int last() throws IOException {
        List<Integer> all = numbers();
        return all.isEmpty() ? 0 : all.get(all.size() - 1);
    }

    /** Deletes the oldest files until all have at most this size together. */
    void keep(long bytes) throws IOException {
        List<Integer> all = numbers();
        long size = 0;
        for (int number : all) {
            size += Files.size(path(number));
        }
        for (int number : all) {
            if (size <= bytes) {
                return;
            }
            size -= Files.size(path(number));
            Files.delete(path(number));
        }
    }
}
