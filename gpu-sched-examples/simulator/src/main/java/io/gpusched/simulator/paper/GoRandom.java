package io.gpusched.simulator.paper;

/**
 * The pseudo-random numbers of Go's {@code math/rand} under a fixed seed, which the authors' program drew its orders of
 * arrival from. Not thread-safe.
 */
final class GoRandom {
    /*
     * An additive lagged Fibonacci generator (Mitchell and Moore; Knuth, TAOCP 2, 3.2.2): x[n] = x[n-607] + x[n-273]
     * mod 2^64. Go seeds it with a Lehmer generator and adds to that, by exclusive or, the state of one such generator
     * after 7.8e12 steps from seed 1. Go keeps that state as a table of 607 numbers. Here it is computed: with
     * c(X) = X^7.8e12 mod (X^607 - X^334 - 1), coefficients mod 2^64, x[n + 7.8e12] is the sum of c_i x[n + i]. That takes
     * 43 squarings of a polynomial of degree 606, some ten milliseconds.
     */
    private static final int LENGTH = 607;
    private static final int LAG = 273;
    private static final long MIXING_STEPS = 7_800_000_000_000L;
    private static final int LEHMER_MODULUS = Integer.MAX_VALUE;
    private static final int LEHMER_FACTOR = 48_271;
    private static final int LEHMER_WARM_UP = 20;
    /** What Go takes for a seed that is a multiple of the modulus. */
    private static final int ZERO_SEED = 89_482_311;

    private static final long[] MIXED = mixed();

    /** The last 607 numbers, as a ring; {@code next} is the place of the oldest, which the next one replaces. */
    private final long[] ring;

    private int next;

    private GoRandom(long[] history) {
        ring = history;
    }

    /** Returns the generator after {@code rand.Seed(seed)}. */
    static GoRandom of(long seed) {
        long[] history = seeded(seed, 40, 20);
        for (int i = 0; i < LENGTH; i++) {
            history[i] ^= MIXED[i];
        }
        return new GoRandom(history);
    }

    /** Returns 607 numbers, oldest first, each of three draws of the Lehmer generator, shifted and combined. */
    private static long[] seeded(long seed, int firstShift, int secondShift) {
        int start = (int) Math.floorMod(seed, (long) LEHMER_MODULUS);
        int[] draw = {start == 0 ? ZERO_SEED : start};
        for (int i = 0; i < LEHMER_WARM_UP; i++) {
            lehmer(draw);
        }
        long[] numbers = new long[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            numbers[age(i)] = (long) lehmer(draw) << firstShift ^ (long) lehmer(draw) << secondShift ^ lehmer(draw);
        }
        return numbers;
    }

    private static int lehmer(int[] last) {
        last[0] = (int) ((long) last[0] * LEHMER_FACTOR % LEHMER_MODULUS);
        return last[0];
    }

    /** Go fills its table from the front and reads it backwards from place 333 on: the age of each place, oldest is 0. */
    private static int age(int place) {
        return Math.floorMod(LENGTH - LAG - 1 - place, LENGTH);
    }

    private static long[] mixed() {
        long[] coefficients = power(MIXING_STEPS);
        long[] numbers = new long[2 * LENGTH];
        System.arraycopy(seeded(1, 20, 10), 0, numbers, 0, LENGTH);
        for (int n = LENGTH; n < numbers.length; n++) {
            numbers[n] = numbers[n - LENGTH] + numbers[n - LAG];
        }
        long[] history = new long[LENGTH];
        for (int n = 0; n < LENGTH; n++) {
            for (int i = 0; i < LENGTH; i++) {
                history[n] += coefficients[i] * numbers[n + i];
            }
        }
        return placed(history);
    }

    /** Returns the state as Go's table holds it after so many steps, then read as a new table. */
    private static long[] placed(long[] history) {
        long[] table = new long[LENGTH];
        for (int n = 0; n < LENGTH; n++) {
            table[Math.floorMod(age(n) - MIXING_STEPS, LENGTH)] = history[n];
        }
        long[] byAge = new long[LENGTH];
        for (int place = 0; place < LENGTH; place++) {
            byAge[age(place)] = table[place];
        }
        return byAge;
    }

    /** Returns X^exponent modulo X^607 - X^334 - 1. */
    private static long[] power(long exponent) {
        long[] result = new long[LENGTH];
        result[0] = 1;
        for (int bit = Long.SIZE - Long.numberOfLeadingZeros(exponent) - 1; bit >= 0; bit--) {
            result = reduced(square(result), LENGTH);
            if ((exponent >>> bit & 1) != 0) {
                long[] shifted = new long[LENGTH + 1];
                System.arraycopy(result, 0, shifted, 1, LENGTH);
                result = reduced(shifted, LENGTH);
            }
        }
        return result;
    }

    private static long[] square(long[] factor) {
        long[] product = new long[2 * LENGTH - 1];
        for (int i = 0; i < LENGTH; i++) {
            for (int j = 0; j < LENGTH; j++) {
                product[i + j] += factor[i] * factor[j];
            }
        }
        return product;
    }

    private static long[] reduced(long[] polynomial, int length) {
        for (int i = polynomial.length - 1; i >= length; i--) {
            polynomial[i - LENGTH] += polynomial[i];
            polynomial[i - LAG] += polynomial[i];
        }
        return java.util.Arrays.copyOf(polynomial, length);
    }

    /** {@code rand.Int63()}: 63 bits. */
    long int63() {
        ring[next] += ring[(next + LENGTH - LAG) % LENGTH];
        long value = ring[next];
        next = (next + 1) % LENGTH;
        return value & Long.MAX_VALUE;
    }

    /** {@code rand.Intn(bound)}: a number in 0..bound-1. */
    int below(int bound) {
        if ((bound & bound - 1) == 0) {
            return int31() & bound - 1;
        }
        int most = (int) ((1L << 31) - 1 - (1L << 31) % bound);
        int value = int31();
        while (value > most) {
            value = int31();
        }
        return value % bound;
    }

    private int int31() {
        return (int) (int63() >> 32);
    }

    /** The draw by which {@code rand.Shuffle} picks its partner: a number in 0..bound-1 by multiplication (Lemire). */
    int belowForShuffle(int bound) {
        long product = (int63() >> 31) * bound;
        long low = product & 0xFFFF_FFFFL;
        if (low < bound) {
            long least = (1L << 32) % bound;
            while (low < least) {
                product = (int63() >> 31) * bound;
                low = product & 0xFFFF_FFFFL;
            }
        }
        return (int) (product >>> 32);
    }
}
