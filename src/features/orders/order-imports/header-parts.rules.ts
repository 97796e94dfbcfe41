/** The words that names of columns are composed of, in the languages of Europe's shops: lower case, without accents. */

export const parts = {
  /* Roles */
  ship: `shippingline shippinglines ship shipping shipto shipment shipments deliv delivery deliver deliverto deliveries destination consignee recipient receiver
    lev lief liefer lieferung liefern versand verz empf empfang empfanger empfangers empfaenger levering leverings leveres leverans leveranse
    leveransens leveras forsendelse forsendelses modtager modtagers modtagerens mottaker mottakers mottagare mottagarens mottagar sendto
    frakt fragt freight livraison expedition destinataire bezorg bezorging verzend verzending lever aflever aflevering ontvanger
    envio entrega destinatario consegna spedizione wysylka wysylki dostawa dostawy odbiorca odbiorcy toimitus vastaanottaja dodaci
    doruceni prijemce`,
  bill: `inv bill billing billto invoice invoicing rechnung rechnungs rechn fakt faktura fakturering fakturerings betaler payer payor
    factuur facturatie facturation fattura fatturazione factura facturacion lasku laskutus fakturacni rech regning`,
  customer: `customer customers partner cust buyer buyers client clients kunde kunden kundens kund kunds kundes kundin kd kober kobers kaufer
    kaufers kaeufer kjoper kopare besteller bestiller bestallare klant klanten acheteur koper sellto soldto klient klienta cliente
    acquirente comprador asiakas zakaznik zakaznika backer backers user purchaser account debitor debitoren`,
  line: `item items product products produkt produkter produkte artikel artikels artikkel artikkels article articles vare varer vares varen
    vara varans position positions line lines lineitem lineitems row rows rad rader linje linjer zeile regel produit produits ligne prod
    articolo prodotto articulo producto tuote tuotteen towar towaru produktu zbozi art part reward rewards goods angebot angebots listing orderdetail orderdetails`,
  /** The row of a list; its number is no product's. */
  row: `position positions pos line lines row rows rad rader linje linjer zeile regel lineitem orderline orderrad ordrelinje`,
  order: `pledge ord besteld bestelde commandee commandees order orders ordre ordrer ordrens bestell bestellung bestellungs best bestilling bestillings bestallning bestallnings bestelling
    auftrag auftrags auftr purchase sale sales salesorder webshop shop commande commandes cde zamowienie zamowienia ordine pedido tilaus
    tilauksen objednavka objednavky encomenda document dokument dok beleg belegs bestellte bestellt bestelltes bestilt bestilte bestalld bestallt
    ordered purchased`,
  /* Facts of a party */
  name: `name names navn namn naam nom nome nombre nimi fullname addressee fullnavn fulltnavn displayname`,
  first_name: `first firstname forename givenname given vorname vornamen fornavn fornamn prenom voornaam imie etunimi jmeno fname vname`,
  middle_name: `middle middlename mellemnavn mellomnavn mellannamn tussenvoegsel voorvoegsel preposition`,
  last_name: `last lastname surname familyname family nachname nachnamen zuname familienname efternavn etternavn efternamn achternaam
    nomdefamille nazwisko cognome apellidos apellido sukunimi prijmeni apelido lname nname`,
  company: `company companyname firma firmen firmaname firmanavn firmanamn foretag foretags foretagsnamn virksomhed virksomheds bedrift bedrifts
    organisation organization business unternehmen societe entreprise bedrijf bedrijfs bedrijfsnaam azienda empresa yritys retailer`,
  attention: `att attn attention contact kontakt kontaktperson contactperson ansprechpartner contactpersoon referent`,
  street: `street streetname streetaddress strasse strassen str gade gadenavn gata gate gatenavn gatuadress gateadresse vej vejnavn vei straat
    straatnaam rue ulica indirizzo calle katuosoite ulice road`,
  address: `address addresses adresse adressen adress adres adr addr anschrift addressline addresseline adresselinje adressrad addressline1
    postadresse postadress utdelningsadress direccion osoite adresa morada`,
  street_number: `housenumber houseno housenr hausnummer hausnr hnr husnummer husnr streetnumber streetno streetnr gadenummer gadenr vejnummer
    huisnummer huisnr nrdomu civico`,
  addition: `addition additional zusatz adresszusatz adresszusatze additive suffix extension toevoeging huisnummertoevoeging complement
    supplement apartment suite co careof flat floor etage dor apt lejlighed lagenhet leilighet wohnung stiege vaning addinfo tillagg tilleg tillaeg`,
  postcode: `eircode postcode postalcode zip zipcode postnummer postnr postnumre plz postleitzahl postleitzahlen codepostal kodpocztowy codicepostale
    cap psc postinumero pc cp postalno postalnr postalnumber postinro`,
  city: `city town stad stadt ort poststed postort postoffice by bynavn sted ortschaft wohnort plaats woonplaats ville miasto citta ciudad
    poblacion localidad kaupunki mesto suburb locality`,
  region: `region state province provins county bundesland fylke provincia prov zone lan`,
  country: `ctry country countries land landes lander laender landekode landkode landkod landskod landcode landercode laendercode landekoder
    lands countrycode countryiso isocode iso lkz pays kraj pais paese maa zeme nation kraju kraj`,
  phone: `phone phones telephone telefon telefonnummer telefonnr telefonnumre tel tlf tfn tele mobile mobil mobilnummer mobilnr mobiltelefon
    mobiltlf cell handy fon rufnummer telefoon telefoonnummer mobiel telefono puhelin phonenumber contactno`,
  email: `mejl email emails mail mailadresse epost epostadresse epostadress emailadresse emailaddress emailadres courriel correo`,
  /* Facts of goods */
  number: `n nu nbr cd no nr nrs number numbers num nummer numero id ids code codes kod kode ref reference referenz referens referanse numer cislo`,
  sku: `sku skus bestandseinheit stockcode model modellnr modell mpn`,
  barcode: `ean ean13 eancode gtin upc barcode barcodes stregkode strekkode streckkod strichcode isbn`,
  title: `desc title titel tittel titre description descriptions descr label bezeichnung bez beschreibung beskrivelse beskrivning benamning benevnelse
    betegnelse text tekst bezeichnungen omschrijving libelle designation intitule descrizione`,
  variant: `variant variants variante varianter varianten variation variations option options size colour color grosse storrelse storlek farbe
    farve farg maat kleur taille couleur ausfuhrung attributes`,
  quantity: `qty quantity quantities antal antall anz anzahl menge mangde maengde mengde stuckzahl stueckzahl aantal quantite qte ant
    kvantitet quantita cantidad ilosc mnozstvi bestellmenge count units`,
  price: `epreis stuksprijs prc price prices preis preise pris priser prijs prix prezzo precio cena hinta apris ahinta einzelpreis stuckpreis stueckpreis stykpris stkpris
    styckpris enhedspris enhetspris verkaufspreis verkauftfur soldfor ep vk vkpreis salgspris prisperstk price1 value`,
  total: `gpreis total totals totaal totalt totalen sum summe summa summen gesamt gesamtpreis gesamtsumme gesamtbetrag subtotal ialt gp linjesum
    linjetotal radsumma zeilensumme zwischensumme montant grand`,
  amount: `amount betrag belob belop belopp bedrag subtotal value`,
  vat: `vat tax taxes moms mwst mva ust btw tva iva alv dph umsatzsteuer mehrwertsteuer steuer gst steuersatz taxrate vatrate momssats
    mwstsatz mvasats mehrwertsteuersatz`,
  percent: `percent percentage pct prozent procent prosent rate satz sats pourcentage taux tarief steuersatz taxrate vatrate momssats mwstsatz
    mvasats mehrwertsteuersatz`,
  incl: `incl inkl inklusive inclusive including inclusief inc ink incluant ttc taxed brutto gross mit med with`,
  excl: `untaxed excl exkl ekskl eksklusive exclusive excluding exclusief exc eks ex ht netto net uden uten utan ohne zzgl without`,
  weight: `weight gewicht vaegt vekt vikt poids waga peso hmotnost nettogewicht enhedsvaegt enhetsvekt`,
  gram: `g gr gram grams gramm grammes`,
  kilogram: `kg kilo kilogram kilograms kilogramm`,
  unit: `stuks p unit units unitary each piece pieces per pr pro je pcs pc stk stck st styk stuck stueck stucks enhed enhets enheds enhet einzel
    stykk styck unitaire unitario wholesale`,
  /* Facts of an order */
  date: `date datetime timestamp dato datum dat day zeit zeitpunkt time tidspunkt created placed purchasedon createdat dateadded`,
  created: `pledged accepted bought kobt kopt gekauft bestellt bestilt bestalld besteld ordered purchased ts verkauft sold solgt salt created create creation placed added received oprettet opprettet skapad erstellt erstellung eingang`,
  on: `on at am den`,
  latest: `latest by before bis senest senast deadline due latestship until`,
  method: `method methods methode metode metod service services tjeneste tjanst product produkt art type form mode carrier courier wijze way
    option maate mate made profile profil satt alternativ agent dienst transportor transporteur zusteller paketdienst`,
  currency: `curr currency valuta valutakode valutakod wahrung waehrung devise currencycode moneda munt`,
  comment: `ovrigt ovrig sonstiges andet annet diverse comment comments note notes notat notiz notizen message remark remarks kommentar kommentarer bem bemerkung bemerkungen anm anmerkung
    anmerkungen hinweis hinweise bemaerk bemaerkning bemaerkninger merknad merknader melding meddelande meddelelse anteckning anteckningar
    opm opmerking opmerkingen remarque commentaire instruction instructions instruktion instruks notering noteringar note1`,
  pickup: `pickup pickuppoint servicepoint servicepunkt droppoint parcelshop pakkeshop paketshop packstation utleveringssted udleveringssted
    utlamningsstalle postfiliale afhaalpunt locker ombud`,
  payment: `payment payments paid betaling betalings betalning betalnings betalmetod betalsatt zahlung zahlungs zahl zahlart zahlweise bezahlt
    paiement betaal betaling pay bezahlung`,
  discount: `discount discounts rabat rabatt rabatter korting remise coupon voucher gutschein promotion sconto descuento`,
  cost: `cost costs kosten omkostninger omkostning kostnad kostnader fee fees gebuhr gebyr avgift charge charges porto frais`,
  done: `shipped delivered sent dispatched refunded refund returned cancelled canceled invoiced fulfilled allocated picked levererat leveret levert
    sendt skickat geliefert versendet storniert verzonden geleverd`,
  open: `open outstanding remaining pending offen offene rest resterende backorder`,
  external: `external externe externer extern ekstern eksternt externt ext other`,
  internal: `id ids internal internalid intern interne`,
  staff: `staff private internal intern interne internal gift geschenk gave employee seller`,
  /* Parts that say nothing, and parts that make something else of a name */
  sign: `sign`,
  postal: `postal`,
  filler: `kontaktowy nm zu post the of a and og och und en et de des der die das du la le les il i to til till fur for your our my in is main default full party
    info information details detail data field addresse customers web online eur dkk sek nok gbp usd chf kr`,
  turning: `uom status username login nickname state supplier vendor seller store merchant warehouse sender return returns previous old parent tracking trace commission
    provision kommission retail rrp msrp uvp compare list suggested original indkobs inkops einkaufs ek buy session transaction url
    category kategori brand hersteller factor token group gruppe language anrede salutation fax url link file reserved lfd laufende
    laufend website channel platform kanal days insurance customs lager birth`,
} as const

export type PartName = keyof typeof parts
