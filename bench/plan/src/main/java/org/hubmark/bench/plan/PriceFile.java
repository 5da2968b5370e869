package org.hubmark.bench.plan;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Prices that somebody gives a plan, as YAML: {@code currency}, and the price of a {@code drive} and of a
 * {@code hub} in it.
 */
public record PriceFile(
        @Nullable String currency,
        @Nullable Double drive,
        @Nullable Double hub) {
    /**
     * Reads it.
     *
     * @throws UserError where it is no such file, or a price is missing
     */
    public static void read(Path file, Collected into) {
        PriceFile prices;
        try {
            JsonNode all = new YAMLMapper().readTree(file.toFile());
            prices = JsonFile.read(all, PriceFile.class);
        } catch (JacksonException e) {
            throw UserError.usage("--prices " + file + ": " + e.getOriginalMessage());
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
        if (prices == null
                || prices.currency == null
                || prices.drive == null
                || prices.hub == null) {
            throw UserError.usage("--prices " + file
                    + ": give currency, drive and hub, such as currency: EUR, drive: 220, hub: 4800"
                    + " on a line each");
        }
        Source source = Source.given("--prices " + file + ", " + prices.currency);
        into.said(PlanInputs.DRIVE_PRICE, prices.drive, source);
        into.said(PlanInputs.HUB_PRICE, prices.hub, source);
    }
}
