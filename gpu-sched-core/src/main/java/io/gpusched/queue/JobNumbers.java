package io.gpusched.queue;

import java.util.Arrays;

/** Some numbers of jobs, ascending. Immutable. */
final class JobNumbers {
    private final int[] numbers;

    private JobNumbers(int[] numbers) {
        this.numbers = numbers;
    }

    /** Returns these numbers, which ascend. */
    static JobNumbers of(int[] ascending, int size) {
        return new JobNumbers(Arrays.copyOf(ascending, size));
    }

    int size() {
        return numbers.length;
    }

    int get(int index) {
        return numbers[index];
    }

    /** Returns these with another number. */
    JobNumbers with(int number) {
        int at = Arrays.binarySearch(numbers, number);
        if (at >= 0) {
            return this;
        }
        int[] more = new int[numbers.length + 1];
        System.arraycopy(numbers, 0, more, 0, -at - 1);
        more[-at - 1] = number;
        System.arraycopy(numbers, -at - 1, more, -at, numbers.length + at + 1);
        return new JobNumbers(more);
    }
}
