package io.gpusched.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every change of what users can name shows as a change of one committed file. */
class PublicApiTest {
    private static final Path COMMITTED = Path.of("src/test/resources/public-api.txt");
    private static final String UPDATE = "gpusched.api.update";

    @Test
    void publicApi_isWhatTheCommittedFileSays() throws IOException {
        List<String> actual = PublicApi.ofExportedPackages().lines();
        if (Boolean.getBoolean(UPDATE)) {
            Files.write(COMMITTED, actual);
        }
        assertThat(actual).as("""
                        the public API is no longer what %s lists.
                        Maybe something became public by accident. If the change is meant, run
                            mvn -q -o test -pl gpu-sched-core -Dtest=PublicApiTest -D%s=true
                        and commit the file, so that the change is seen in review.""", COMMITTED, UPDATE).isEqualTo(Files.readAllLines(COMMITTED));
    }

    @Test
    void publicApi_namesNoInternalType() {
        assertThat(PublicApi.ofExportedPackages().lines()).noneMatch(line -> line.contains("internal."));
    }

    @Test
    void listing_showsWhatUsersCanReachAndNothingElse() {
        assertThat(PublicApi.describe(Sample.class))
                .containsExactly(
                        "class api.PublicApiTest.Sample<T extends Comparable<T>> implements Comparable<T>",
                        "  new (int, T[]) throws IOException",
                        "  int compareTo(T)",
                        "  long inheritedFromHiddenParent()",
                        "  protected void forSubclasses()",
                        "  static <E> Map<String, List<? extends E>> staticOne(E...)",
                        "  static final int LIMIT");
        assertThat(PublicApi.describe(Shape.class))
                .containsExactly("sealed interface api.PublicApiTest.Shape permits api.PublicApiTest.Shape.Square");
        assertThat(PublicApi.describe(Shape.Square.class))
                .containsExactly(
                        "record api.PublicApiTest.Shape.Square(long side) implements api.PublicApiTest.Shape",
                        "  new (long)",
                        "  long side()");
        assertThat(PublicApi.describe(Level.class))
                .containsExactly(
                        "enum api.PublicApiTest.Level",
                        "  static api.PublicApiTest.Level valueOf(String)",
                        "  static api.PublicApiTest.Level[] values()",
                        "  HIGH",
                        "  LOW");
    }

    private static class Hidden {
        public long inheritedFromHiddenParent() {
            return 1;
        }
    }

    /** A class with one member of each sort. */
    public static class Sample<T extends Comparable<T>> extends Hidden implements Comparable<T> {
        public static final int LIMIT = 3;
        final int notForUsers = LIMIT;

        public Sample(int count, T[] values) throws IOException {
            if (count != values.length) {
                throw new IOException("count must be " + values.length + ", got " + count);
            }
        }

        @SafeVarargs
        @SuppressWarnings("varargs")
        public static <E> java.util.Map<String, List<? extends E>> staticOne(E... values) {
            return java.util.Map.of("values", List.of(values));
        }

        protected void forSubclasses() {}

        void forThePackage() {}

        @Override
        public int compareTo(T other) {
            return 0;
        }

        @Override
        public String toString() {
            return "sample " + notForUsers;
        }
    }

    /** A closed family. */
    public sealed interface Shape {
        /** Its only member. */
        record Square(long side) implements Shape {}
    }

    /** An enum. */
    public enum Level {
        LOW,
        HIGH
    }
}
