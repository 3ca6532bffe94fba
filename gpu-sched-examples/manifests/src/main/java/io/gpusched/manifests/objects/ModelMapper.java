package io.gpusched.manifests.objects;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Reads JSON into fabric8's models as Kubernetes does: a field that is null is one that is missing, and a field that is not
 * known is passed over. So no list or map of a model is null.
 */
public final class ModelMapper {
    private ModelMapper() {}

    /** Returns a mapper for what anyone may have sent: a null in a list or map is an error. */
    public static ObjectMapper ofRequests() {
        return mapper(Nulls.FAIL).disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    }

    /** Returns a mapper for what the API server says, none of which may be lost: a null in a list or map is left out. */
    public static ObjectMapper ofServer() {
        return mapper(Nulls.SKIP);
    }

    private static ObjectMapper mapper(Nulls inLists) {
        ObjectMapper mapper = new ObjectMapper();
        mapper.setDefaultSetterInfo(JsonSetter.Value.construct(Nulls.SKIP, inLists));
        return mapper;
    }
}
