package io.gpusched.conformance.kai;

import io.gpusched.conformance.Difference;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.queue.FairShare;
import io.gpusched.queue.Quota;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Cases of KAI that divide one resource among queues. GPUs are counted in milli. */
final class KaiFairShare {
    private static final int MILLI = 1_000;

    private KaiFairShare() {}

    static Outcome run(VectorCase vector) {
        int scale = vector.field("resource").text().equals("gpu") ? MILLI : 1;
        List<FairShare.Claim> claims = new ArrayList<>();
        Map<String, Long> initial = new HashMap<>();
        for (YamlNode queue : vector.field("queues").list()) {
            claims.add(claim(queue, scale));
            queue.at("initialShare")
                    .optional()
                    .ifPresent(share -> initial.put(queue.need("name").text(), KaiQueues.amount(share, scale)));
        }
        long total = KaiQueues.amount(vector.field("total"), scale);
        int usage = (int) KaiQueues.amount(vector.field("k"), MILLI);
        FairShare.Division division = vector.field("phase").textOr("").equals("over-quota-only")
                ? FairShare.divideOverQuota(total, scale, usage, claims, initial)
                : FairShare.divide(total, scale, usage, claims);
        return compare(vector, division, scale);
    }

    private static FairShare.Claim claim(YamlNode queue, int scale) {
        Quota quota = new Quota(
                KaiQueues.amount(queue.need("deserved"), scale),
                KaiQueues.amount(queue.need("limit"), scale),
                KaiQueues.amount(queue.need("overQuotaWeight"), MILLI));
        return new FairShare.Claim(
                queue.need("name").text(),
                quota,
                KaiQueues.amount(queue.need("requested"), scale),
                queue.at("priority").integerOr(0),
                queue.at("createdOrder").numberOr(0),
                queue.has("usage") ? KaiQueues.amount(queue.need("usage"), MILLI) : 0);
    }

    private static Outcome compare(VectorCase vector, FairShare.Division division, int scale) {
        List<Difference> differences = new ArrayList<>();
        YamlNode expected = vector.field("expected");
        expected.need("fairShare")
                .map()
                .forEach((queue, share) -> compare(
                        differences,
                        "fairShare." + queue,
                        share,
                        division.shares().getOrDefault(queue, 0L),
                        scale));
        expected.at("remaining")
                .optional()
                .ifPresent(left -> compare(differences, "remaining", left, division.left(), scale));
        return Outcome.of(differences);
    }

    private static void compare(List<Difference> differences, String what, YamlNode expected, long found, int scale) {
        if (KaiQueues.amount(expected, scale) != found) {
            String words =
                    BigDecimal.valueOf(found).divide(BigDecimal.valueOf(scale)).toPlainString();
            differences.add(new Difference("$.expected." + what, expected.text(), words));
        }
    }
}
