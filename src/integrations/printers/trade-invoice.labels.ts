/** Texts of customs invoices, in the language that the configuration names. */
import type { Locale } from '#contract/limits.ts'

export interface TradeInvoiceWords {
  invoice: string
  credit: string
  draft: string
  sample: string
  date: string
  courier: string
  destination: string
  terms: string
  currency: string
  credits: string
  reason: string
  exporter: string
  importer: string
  vat_no: string
  description: string
  hs_code: string
  origin: string
  pieces: string
  unit_value: string
  value: string
  net: string
  gross: string
  parcels: string
  total: string
  rate: string
  /** Contains `{amount}` and `{n}`. */
  rounding: string
  annex: string
  tracking_no: string
  order: string
  postcode: string
  /** Contains `{n}` and `{total}`. */
  page: string
}

const words: Record<Locale, TradeInvoiceWords> = {
  en_GB: {
    invoice: 'Commercial invoice',
    credit: 'Credit note',
    draft: 'DRAFT',
    sample: 'SAMPLE',
    date: 'Date',
    courier: 'Courier',
    destination: 'Destination',
    terms: 'Delivery terms',
    currency: 'Currency',
    credits: 'Credits invoice',
    reason: 'Reason',
    exporter: 'Exporter',
    importer: 'Importer',
    vat_no: 'VAT no.',
    description: 'Description',
    hs_code: 'HS code',
    origin: 'Origin',
    pieces: 'Pieces',
    unit_value: 'Unit value',
    value: 'Value',
    net: 'Net kg',
    gross: 'Gross kg',
    parcels: 'Parcels',
    total: 'Total',
    rate: 'Rate',
    rounding: 'Rounding {amount} on line {n}',
    annex: 'Parcels',
    tracking_no: 'Tracking number',
    order: 'Order',
    postcode: 'Postcode',
    page: 'Page {n} of {total}',
  },
  da_DK: {
    invoice: 'Handelsfaktura',
    credit: 'Kreditnota',
    draft: 'KLADDE',
    sample: 'PRØVE',
    date: 'Dato',
    courier: 'Transportør',
    destination: 'Modtagerland',
    terms: 'Leveringsbetingelser',
    currency: 'Valuta',
    credits: 'Krediterer faktura',
    reason: 'Årsag',
    exporter: 'Eksportør',
    importer: 'Importør',
    vat_no: 'Momsnr.',
    description: 'Varebeskrivelse',
    hs_code: 'HS-kode',
    origin: 'Oprind.',
    pieces: 'Stk.',
    unit_value: 'Stykværdi',
    value: 'Værdi',
    net: 'Netto kg',
    gross: 'Brutto kg',
    parcels: 'Pakker',
    total: 'I alt',
    rate: 'Kurs',
    rounding: 'Afrunding {amount} på linje {n}',
    annex: 'Pakker',
    tracking_no: 'Pakkenummer',
    order: 'Ordre',
    postcode: 'Postnr.',
    page: 'Side {n} af {total}',
  },
  de_DE: {
    invoice: 'Handelsrechnung',
    credit: 'Gutschrift',
    draft: 'ENTWURF',
    sample: 'MUSTER',
    date: 'Datum',
    courier: 'Paketdienst',
    destination: 'Bestimmungsland',
    terms: 'Lieferbedingung',
    currency: 'Währung',
    credits: 'Gutschrift zu Rechnung',
    reason: 'Grund',
    exporter: 'Ausführer',
    importer: 'Einführer',
    vat_no: 'USt-IdNr.',
    description: 'Warenbeschreibung',
    hs_code: 'HS-Code',
    origin: 'Urspr.',
    pieces: 'Stück',
    unit_value: 'Stückwert',
    value: 'Wert',
    net: 'Netto kg',
    gross: 'Brutto kg',
    parcels: 'Pakete',
    total: 'Summe',
    rate: 'Kurs',
    rounding: 'Rundung {amount} in Zeile {n}',
    annex: 'Pakete',
    tracking_no: 'Paketnummer',
    order: 'Auftrag',
    postcode: 'PLZ',
    page: 'Seite {n} von {total}',
  },
  no_NO: {
    invoice: 'Handelsfaktura',
    credit: 'Kreditnota',
    draft: 'UTKAST',
    sample: 'PRØVE',
    date: 'Dato',
    courier: 'Transportør',
    destination: 'Mottakerland',
    terms: 'Leveringsbetingelser',
    currency: 'Valuta',
    credits: 'Krediterer faktura',
    reason: 'Årsak',
    exporter: 'Eksportør',
    importer: 'Importør',
    vat_no: 'Org.nr.',
    description: 'Varebeskrivelse',
    hs_code: 'HS-kode',
    origin: 'Oppr.',
    pieces: 'Antall',
    unit_value: 'Stykkverdi',
    value: 'Verdi',
    net: 'Netto kg',
    gross: 'Brutto kg',
    parcels: 'Pakker',
    total: 'Totalt',
    rate: 'Kurs',
    rounding: 'Avrunding {amount} på linje {n}',
    annex: 'Pakker',
    tracking_no: 'Sporingsnummer',
    order: 'Ordre',
    postcode: 'Postnr.',
    page: 'Side {n} av {total}',
  },
  sv_SE: {
    invoice: 'Handelsfaktura',
    credit: 'Kreditfaktura',
    draft: 'UTKAST',
    sample: 'EXEMPEL',
    date: 'Datum',
    courier: 'Transportör',
    destination: 'Mottagarland',
    terms: 'Leveransvillkor',
    currency: 'Valuta',
    credits: 'Krediterar faktura',
    reason: 'Orsak',
    exporter: 'Exportör',
    importer: 'Importör',
    vat_no: 'Momsreg.nr',
    description: 'Varubeskrivning',
    hs_code: 'HS-kod',
    origin: 'Urspr.',
    pieces: 'Antal',
    unit_value: 'Styckvärde',
    value: 'Värde',
    net: 'Netto kg',
    gross: 'Brutto kg',
    parcels: 'Paket',
    total: 'Summa',
    rate: 'Kurs',
    rounding: 'Avrundning {amount} på rad {n}',
    annex: 'Paket',
    tracking_no: 'Kollinummer',
    order: 'Order',
    postcode: 'Postnr',
    page: 'Sida {n} av {total}',
  },
}

export const tradeInvoiceWords = (locale: Locale): TradeInvoiceWords => words[locale]
