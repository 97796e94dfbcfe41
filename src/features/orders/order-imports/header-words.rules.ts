/**
 * Column names of order files in English and twelve other languages of Europe, and what they may mean. A name is read as a role
 * (recipient, bill, customer, line, order) and a fact of that role: `Shipping Postcode`, `Lieferadresse PLZ` and `leveringspostnr` are one.
 */
import { isCurrency } from '#domain/money.ts'
import { entriesOf, isOneOf } from '#domain/objects.ts'
import { bare, CsvField, dateFields, fold, lineFields, type OtherColumn } from './columns.rules.ts'
import { composedMeanings, isRowNumber } from './header-grammar.rules.ts'

/** One meaning that a column's name can have. The higher the score, the surer. */
export interface Meaning {
  field: CsvField | OtherColumn
  score: number
  /** Whether a price contains VAT, where its name says so. */
  vat: 'incl' | 'excl' | null
}

type Role = 'ship' | 'bill' | 'customer' | 'line' | 'order'
type Words<Fact extends string> = Readonly<Record<Fact, string>>

const roles: Words<Role> = {
  ship: `shipping lev ship deliv shipto shipment delivery deliver deliverto deliveries recipient recipients receiver consignee destination
    liefer lieferung lieferungs versand empfanger empfaenger empfangers empfaengers levering leverings leverans leveranse
    modtager modtagers modtagerens mottaker mottakers mottagare mottagarens mottagar forsendelse forsendelses sendto frakt fragt
    livraison destinataire expedition shippingline shippinglines bezorg bezorging bezorgadres aflever aflevering afleveradres verzend verzending ontvanger
    leveradres verz wysylka wysylki wysylkowy dostawa dostawy odbiorca odbiorcy spedizione consegna destinatario destinazione
    envio envios entrega toimitus vastaanottaja vastaanottajan saaja dodaci doruceni prijemce odbiorca expedicao del
    lieferempfanger empfang recebedor leveres leverestil leveras leverastill liefernan bezorgenbij`,
  bill: `billing fakt fak bill billto invoice invoicing invoices rechnung rechnungs rechnungsempfanger rechnungsempfaenger faktura
    fakturerings fakturering betaler betalers fakturamodtager payer payment facturation factuur facturatie factuuradres fact
    rozliczeniowy rozliczeniowe platnik fatturazione fattura facturacion factura laskutus lasku maksaja fakturacni fakturace
    faturacao fatura invoiceto`,
  customer: `customer customers partner buyer buyers client clients kunde kunden kundens kund kunds kober kobers koeber kopare kaeufer kaufer
    kjoper besteller bestiller klant klanten acheteur koper sellto soldto klient klienta kupujacy kupujacego zamawiajacy nabywca
    cliente backer backers acquirente comprador asiakas asiakkaan ostaja tilaaja zakaznik zakaznika kupujici account purchaser`,
  line: `lineitem lineitems orderitem orderitems orderline orderlines orderdetail orderdetails line item items product products
    produkt produkter produkts artikel artikels article articles vare varer varens varu position positions pos ordrelinje
    ordrelinjer orderrad orderrads rad linje stock produit produits ligne orderregel orderregels produktu towar towaru pozycja
    pozycji articolo articoli prodotto prodotti riga articulo articulos producto productos linea tuote tuotteen rivi nimike zbozi
    polozka artigo produto linha prod orderposition offer listing reward rewards part`,
  order: `order orders ordre ordrer ordrens bestell bestellung bestellungs bestilling bestillings auftrag auftrags purchase sales sale
    salesorder ext webshop shop commande commandes bestelling bestellingen zamowienie zamowienia ordine ordini pedido pedidos
    tilaus tilauksen objednavka objednavky encomenda document documents cde`,
}

type PartyFact =
  | 'name'
  | 'first_name'
  | 'middle_name'
  | 'last_name'
  | 'attention'
  | 'company'
  | 'address1'
  | 'street_number'
  | 'address2'
  | 'postcode'
  | 'city'
  | 'region'
  | 'country'
  | 'phone'
  | 'email'

const partyWords: Words<PartyFact> = {
  name: `name fullname navn namn fuldenavn fulltnavn recipientname personname kontaktnavn displayname naam nom nomcomplet
    volledigenaam imieinazwisko nominativo nomeecognome nombrecompleto nombreyapellidos nimi jmenoaprijmeni nomecompleto nombre
    wer who hvem vem wie addressee`,
  first_name: `firstname forename givenname fname fornavn vorname fornamn prenom voornaam imie nome etunimi jmeno voorletters`,
  middle_name: `middlename secondname mellemnavn mellomnavn mellannamn tussenvoegsel tussenvoegsels voorvoegsel lastnamepreposition zweitername deuxiemeprenom`,
  last_name: `lastname surname familyname lname efternavn etternavn nachname efternamn zuname familienname achternaam nomdefamille nazwisko
    cognome apellido apellidos sukunimi prijmeni apelido sobrenome`,
  attention: `attention attn att attname contact contactname contactperson kontaktperson kontakt ansprechpartner referenceperson
    personadicontatto yhteyshenkilo osobakontaktowa zhd zhdn zuhanden tav alattention`,
  company: `company companyname firma firmanavn firmaname firmanamn foretag foretagsnamn virksomhed virksomhedsnavn organisation
    organization organisationname bedrift bedriftsnavn selskap unternehmen business businessname societe entreprise bedrijf
    bedrijfsnaam raisonsociale nazwafirmy ragionesociale azienda empresa razonsocial yritys spolecnost`,
  address1: `address1 address12 adresse12 address addressline addressline1 addressone line1 street street1 streetline1 streetaddress
    streetname adresse1 adresse adresselinje adresselinje1 adress adress1 adressrad1 gade gadenavn vej vejnavn strasse strasse1
    strassenname str gata gatuadress gatenavn gateadresse anschrift postadresse postadress utdelningsadress strassehausnummer
    strassehausnr strasseundhausnummer strasseundnummer strassenr gadeognummer streetaddress1 address1street straat straatnaam
    adres rue vejognr vejognummer veinr gadeognr gatuadressochnr strasseundnr straatenhuisnummer ulica ulicainumer ulicainrdomu
    ulicainumerdomu indirizzo direccion domicilio calle osoite katuosoite lahiosoite ulice morada endereco rua shiptostreet1
    wohin addr1 addr lieferadresse streetandnumber streetandhousenumber addressstreet addresse adressecomplete indirizzocompleto
    direccioncompleta fulladdress`,
  street_number: `housenumber houseno housenr hausnummer hausnr husnummer husnr streetnumber streetno streetnr gadenummer gadenr vejnummer
    huisnummer huisnr nrdomu numerdomu numerocivico civico cislopopisne addressnumber cislodomu`,
  address2: `address2 addressline2 addresstwo line2 street2 streetline2 streetaddress2 addressadditional addressadditional1
    additionaladdress additionaladdressline1 additionaladdressline adresse2 adresselinje2 adress2 adressrad2 adresszusatz
    adresszusatz1 zusatz apartment suite careof co etage addresssuffix adressetillaeg toevoeging huisnummertoevoeging complement
    complementdadresse complementadresse adressezusatz addressadditionalinformation addressaddition addressinfo addinfo
    additionalinfo additionalinformation etagedor etageogdor etageside etagesal floor floorunit apt aptsuite aptno unitno
    lejlighed lejlighedsnr lagenhet lagenhetsnr lagenhetsnummer leilighet leilighetsnr wohnung wohnungsnr stiege complementoindirizzo numberaddition addressnumberaddition addr2 houseaddition extra addressextra
    numerlokalu nrlokalu lokal numermieszkania nrmieszkania mieszkanie`,
  postcode: `postcode postalcode zip zipcode zippostcode zippostalcode postcodezip postnummer postnr plz postleitzahl postkode postalzip
    codepostal codepostale eircode pincode kodpocztowy cap codicepostale codigopostal cp postinumero psc cep postalno postno poststcode zipno
    postleitzahlen postinro`,
  city: `city town place by bynavn ort stad stadt ortsname poststed postort sted locality citytown suburb wohnort plaats woonplaats
    ville commune miasto miejscowosc citta comune localita ciudad poblacion localidad municipio postitoimipaikka kaupunki
    paikkakunta mesto obec cidade localidade ziparea postarea postalarea posttown postalcity`,
  region: `region state province county statecode provincecode regioncode provincename stateprovince bundesland fylke landsdel
    statecounty wojewodztwo provincia prov regione maakunta distrito`,
  country: `country countrycode countryid countryiso countryiso2 countryname countryisocode isocode land landekode landkode landkod
    landcode landnavn landsnavn landisocode landiso landesname lander laender laenderkuerzel landerkurzel laenderkennzeichen
    laendercode landescode countryiso3166 pays countryisocode2 countryiso2code landnaam kraj panstwo nazione paese pais maa zeme
    countryregioncode countryregion regioncountry lkz kodkraju`,
  phone: `phone phonenumber phoneno telephone telephonenumber tel mobile mobilephone mobileno cellphone telefon telefonnummer telefonnr
    tlf tlfnr tlfnummer mobil mobilnummer mobilnr mobiltelefon handy rufnummer telefon1 contactno contactnumber contactphone
    telefoon telefoonnummer telefoonnr mobiel portable nrtelefonu numertelefonu cellulare telefono movil puhelin puhelinnumero
    matkapuhelin telemovel telefone telnummer telno fon phone1 mobilephonenumber`,
  email: `email emailaddress mail epost emailadresse epostadress epostadresse mailadresse emailadress contactemail optionemail courriel
    emailadres mailadres adresseemail adressemail mel correo correoelectronico sahkoposti emailklienta adresemail postaelettronica`,
}

type LineFact =
  | 'sku'
  | 'barcode'
  | 'name'
  | 'variant'
  | 'qty'
  | 'price'
  | 'line_total'
  | 'vat_percent'
  | 'weight'
  | 'weight_g'
  | 'weight_kg'
  | 'items'

const lineWords: Words<LineFact> = {
  sku: `sku skus skucode code number no nr nummer productcode productnumber productno productsku varenummer varenr artikelnummer
    artikelnr artikelnummber artnr artno articleno articlenumber itemno itemnumber itemcode itemsku reference ref stockcode model
    modelnumber partnumber partno mpn variantsku externalid skunummer skunr internalreference defaultcode customlabel
    customlabelsku articleordernumber variationnumber variationno varianteno referenceproduit refproduit produitreference
    artikelcode kodproduktu numerkatalogowy symbol indeks codicearticolo codice codiceprodotto referencia codigo codigoarticulo
    tuotenumero tuotekoodi kod artnum prodno prodnumber productnr artikelno vendorsku sellersku merchantsku articleref skuno
    varekode referentie riferimento kodtowaru tuotenro tuotenr symboltowaru`,
  barcode: `ean ean13 eannummer eannr eankode eancode gtin gtin13 upc barcode stregkode strekkode streckkod isbn codebarres codebarre
    codeean kodkreskowy kodean viivakoodi codigodebarras codiceabarre`,
  name: `name title description descr navn namn titel tittel titre bezeichnung beschreibung artikelbezeichnung beskrivelse beskrivning
    benamning benevnelse hvad tekst text varenavn varetekst varebeskrivelse varunamn produktnavn produktnamn produktname produkttitel
    artikelname artikelnamn artikelbenamning produktbezeichnung productname producttitle itemname productnaam artikelnaam
    artikelomschrijving omschrijving nomproduit nomduproduit designation libelle produit orderitemname nazwaproduktu nazwatowaru
    nazwa descrizione nomeprodotto descripcion nombreproducto tuotenimi tuotteennimi selite kuvaus nazev nazevproduktu designacao
    descricao details detail produkttext producttext shortdescription`,
  variant: `variant variantname varianttitle variation variationname variations varianter varianten variante variantnavn option options
    optionname attributes egenskaber udgave ausfuhrung variationdetails declinaison wariant varianta `,
  qty: `qty quantity quantityordered qtyordered quantityrefund amount antal antall menge anzahl mangd stk stuck stueck count pcs
    pieces units bestellmenge bestelltemenge antalbestilt bestiltantal antalenheder stykantal kvantitet quantitypurchased
    qtypurchased ant stuckzahl stueckzahl aantal quantite qte ilosc sztuk liczbasztuk quantita qta pezzi cantidad uds unidades
    maara kpl lukumaara mnozstvi pocet ks quantidade qtd noofitems numberofitems noofpieces numberofpieces orderedquantity
    orderedqty uomqty uomquantity quantityorder bestalltantal antalbestallt besteldaantal aantalbesteld anzahlbestellt stkantal countordered nb nbre
    quantityrequested requestedquantity qtyrequested requestedqty
   `,
  price: `price unitprice priceperunit pricepritem priceeach itemprice unitcost cost eachprice preis stuckpreis stueckpreis einzelpreis
    verkaufspreis saleprice salesprice pris stykpris stkpris styckpris apris enhedspris enhetspris prisperstk prisprstk prisst salgspris priceperpiece
    ahinta preisprostuck preisprostueck verkoopprijs soldfor vk vkpreis prix prixunitaire prijs stukprijs prijsperstuk eenheidsprijs
    amountprice cena cenajednostkowa prezzo prezzounitario precio preciounitario hinta yksikkohinta cenazakus preco precounitario
    pu precounit prezzounit preciounit prixunit prisstk punit`,
  line_total: `linetotal rowtotal total totals sum summe gesamt gesamtpreis gesamtsumme positionssumme positionspreis zeilensumme linjetotal
    linjesum linjebelob linjebelop radsumma radtotal radbelopp totalpris pristotal prisialt totalprice pricetotal subtotal
    linesum lineamount rowamount extendedprice belob belop belopp betrag amount ialt linjepris regeltotaal totaal montant
    montanttotal soustotal wartosc kwota importo totaleriga totale importe totallinea rivisumma yhteensa lineprice lineamountexcl
    revenue   finalprice`,
  vat_percent: `vatpercent vatpercentage vatrate vatpct taxrate taxpercent taxpercentage vat tax moms momssats momsprocent momspct momsats
    mwst mwstsatz mwstprozent mva mvasats mvaprosent ust ustsatz steuersatz steuer ustin mwstin vatin btw btwpercentage btwtarief
    tva tauxdetva tauxtva stawkavat stawka iva aliquotaiva tipoiva alv alvprosentti dph sazbadph percentualeiva`,
  weight: `weight vaegt vgt gewicht vekt vikt unitweight stykvaegt nettogewicht poids paino peso hmotnost waga`,
  weight_g: 'weightg weightgrams weightingrams grams gram vaegtg vaegtigram gewichtg gewichtingramm vektg viktg',
  weight_kg: 'weightkg weightkilograms weightinkg kilograms kg vaegtkg vaegtikg gewichtkg gewichtinkg vektkg viktkg',
  items: `items products lineitems orderitems orderlines produkter produkte varer varor artikel artiklar artikler positionen
    ordrelinjer orderrader productlist productspurchased itemlist bestellpositionen bestilteprodukter bestiltevarer
    orderedproducts ordereditems productsordered itemsordered contents indhold inhalt innehall lineitem prodotti articoli
    productos articulos tuotteet tilatuttuotteet zamowioneprodukty produkty polozky was what hvad hva vad wat`,
}

/** Facts of the order itself, with or without the word for order before them. */
const orderWords: Partial<Record<CsvField | OtherColumn, string>> = {
  currency: `currency currencycode currencyiso valuta valutakode valutakod wahrung waehrung ordercurrency basecurrencycode currencyisocode
    devise moneda divisa waluta mena valuuta`,
  customer_no: `customerid customernumber customerno customerref kundenummer kundenr kundennummer kundennr kundeid kundnummer kundnr
    customerexternalid buyerid debitornummer debitornr klantnummer klantnr numeroclient codicecliente codigocliente asiakasnumero
    numerklienta`,
  vat_no: `vatno vatnumber vatid cvr cvrnr cvrnummer ustid ustidnr ustidnummer orgnr organisationsnummer momsnummer momsregnr taxid nip
    partitaiva piva nif cif ytunnus dic organizationno orgno`,
  locale: 'locale language languagecode sprog sprache sprak spraak customerlocale',
  shipping_title: `shippingmethod shippingmethodtitle shippingmethodname shippingtitle shippingservice shippingtype shippingdescription
    shippinginformation postageservice deliverymethod deliverytype deliveryservice leveringsmetode leveringsmade leveringsmaade leveringsmate
    leveringstype leveringsform forsendelsesmetode forsendelsestype fragtmetode fragttype fragtmaade fragtform versandart
    versandmethode versanddienst lieferart fraktsatt fraktmetode fraktmate fraktalternativ leveranssatt leveransmetode
    leveringsmetod carrier carriername courier dispatchname shipping delivery versand levering fragt frakt leverans forsendelse transportor
    spediteur shipservicelevel servicelevel shipmethod shipservice dispatchdescription dispatchmethod dispatch verzendmethode
    verzendwijze bezorgmethode transporteur modedelivraison sposobdostawy metodadostawy rodzajdostawy metododispedizione corriere
    metododeenvio transportista toimitustapa zpusobdopravy doprava servicerequested postalservicename postalservice
    shippingservicename shippinglinetitle wayofdelivery shippingagentcode wayofdeliverytype requestedservice`,
  shipping_code: `shippingcode shippingmethodcode shippingmethodid versandartcode leveringskode servicecode`,
  service_point_id: `servicepointid servicepoint pickuppointid pickuppoint droppointid droppoint parcelshopid parcelshop pakkeshopid pakkeshop
    udleveringssted utlamningsstalle postfiliale packstation pickupid punktodbioru paczkomat kodpaczkomatu puntodiritiro
    puntoderecogida noutopiste servicepointcode pickuppointcode parcelshopcode lockerid lockercode afhaalpunt`,
  ship_by: `shipby shipbydate latestshipdate latestship sendsenest afsendessenest versandbis sendessenest skickassenast dispatchby
    mustshipby promisedate expectedshippingdate shipbefore dispatchdeadline versenden latestshippingdate latestdispatchdate`,
  ship_instruction: `shippinginstructions deliveryinstructions deliverynote leveringsinstruktion leveringsinstruks lieferhinweis
    leveransinstruktion deliverycomment bezorginstructies instructionsdelivraison deliveryinstruction shippinginstruction
    istruzioniconsegna specialinstructions`,
  ship_door_code: 'doorcode dorkode portkod turcode',
  note: `note notes husk comment comments customernote customernotes customercomment customerremarks ordernote ordernotes ordercomment
    ordermessage message remarks remark buyernote bemaerkning bemaerkninger kundebemaerkning kundekommentar bemerkung bemerkungen
    anmerkung anmerkungen kundenkommentar kommentar kommentarer meddelelse meddelande ordrenote ordrebemaerkning ordrekommentar
    besked kundenote melding merknad notefromcustomer notefrombuyer opmerking opmerkingen remarque remarques commentaire uwagi
    uwagiklienta komentarz osservazioni observaciones notas comentarios lisatiedot huomautus huomautukset viesti kommentti
    poznamka poznamky observacoes hinweis hinweise notesfrombuyer orderremark info notiz buyermessage notesfromcustomer ovrigt
    ovrig sonstiges andet annet`,
  tags: 'tags tag ordertags partner etiketter labels',
  paid_at: `paidat datepaid paiddate paymentdate paidon betaltdato betalingsdato betaltden betalt betalinsdato bezahltam zahlungsdatum
    zahldatum betaldatum betalningsdatum paymentsdate paymentsat betaaldop datedepaiement datapagamento fechadepago maksupaiva`,
  ordered_at: `orderdate orderedat ordereddate date datetime time createdat created createddate datecreated dateadd dateadded placedat
    placedon dateplaced purchasedate datepurchased purchasedat orderdatetime ordertime ordretid ordredato dato oprettet
    oprettetden oprettelsesdato bestilt bestiltden bestillingsdato bestelldatum bestellzeit bestellzeitpunkt bestelltam datum
    auftragsdatum erstelltam erstellt orderdatum bestallningsdatum skapad skapaddatum opprettet ordretidspunkt kobsdato koebsdato
    kaufdatum kjopsdato invoicedate invdate dateordered transactiondate orderedon saledate bestdatum erstelldatum anlagedatum besteldatum
    datedecommande datecommande datazamowienia data datazlozenia dataordine fecha fechapedido fechadepedido tilauspaiva tilauspvm
    paivamaara pvm datumobjednavky dataencomenda wann when hvornar nar wanneer received receiveddate receivedat dateofpurchase
    orderplaced datereceived documentdate ordereddatetime timestamp processedat vom inkom inkommen verkaufsdatum verkauftam salgsdato forsaljningsdatum podate`,
  order_no: `ordernumber orderno ordernr ordernummer ordernum ordrenummer ordrenr ordrenumre ordreid orderid orderref orderreference
    ordername orderincrementid incrementid bestellnummer bestellnr bestellungsnummer bestellungnr bestellid bestillingsnummer
    bestillingsnr bestallningsnummer auftragsnummer auftragsnr auftragnr invoiceno invoicenumber invno invnr invnum purchaseordernumber ponumber po pono ponum poref poreference
    idorder order ordre bestellung bestilling auftrag salesorder salesordernumber webordrenummer ordernumbershop entityid
    reference number bestelnummer bestelnr referencedecommande referencecommande numerodecommande numerocommande commande
    ordernumberformatted outboundnumber outboundno outboundid outboundorder outboundordernumber numerzamowienia nrzamowienia zamowienie numeroordine nordine ordine numerodepedido npedido numeropedido
    pedido tilausnumero tilausnro tilaus cisloobjednavky objednavka encomenda nencomenda numeroencomenda referencenumber
    referenceno documentno documentnumber orderlistno referentie referencia riferimento nrbestellung`,
  external_id: `externalid externalorderid internalid shoporderid externalordernumber externeauftragsnummer externeordernummer
    externebestellnummer eksterntordrenummer externtordernummer externalreference externaldocumentno`,
  origin: 'origin countryoforigin oprindelsesland ursprungsland opprinnelsesland herkunftsland',
  hs_code: `hscode hs tariff tariffcode tariffnumber commoditycode customscode toldtarif toldkode varekode zolltarifnummer zolltarif tullkod
    tolltariff statistiskvarenummer`,
  customs_text: 'customsdescription customstext toldtekst zolltext',
  bin: `bin binlocation binlocations shelf shelflocation lagerplads lagerplatz lagerplass lagerplats hylde hyldeplads pickinglocation
    warehouselocation`,
  image_url: 'imageurl image picture imagesrc billede billedurl bild bildurl bilde',
  serial_required: 'serialrequired',
  discount_excl_vat: 'discountexclvat',
  order_total: `total totals ordertotal grandtotal grandtotalbase grandtotalpurchased totalamount amounttotal orderamount ordersum ordersumme
    gesamtbetrag gesamtsumme rechnungsbetrag bestellwert bestellsumme auftragssumme ordretotal totalbelob totalbelop totalbelopp
    ordervarde ordersumma ordrebelob ialt totalpaid totalpaidtaxincl invoiceamount sum summe totalpedido totaleordine
    wartosczamowienia razem lacznie amountpaidbycustomer totalorder ordertotalamount totalordersum totalordersumma loppusumma
    celkem`,
  tax_total: `taxes taxamount taxtotal totaltax totalvat vatamount vattotal ordertax ordertotaltax momsbelob momsbelop momsbelopp momstotal
    mwstbetrag steuerbetrag taxcost ordertaxamount kwotavat importeiva`,
  shipping_total: `shippingcost shippingcosts shippingrate shippingprice shippingamount shippingtotal shippingfee shipping shippingandhandling freight
    versandkosten porto fragtpris fragtbelob fragtomkostninger fragt frakt fraktkostnad fraktpris ordershipping deliveryfee
    deliveryprice deliverycost leveringspris leveransavgift totalshipping portes gastosdeenvio spesedispedizione kosztdostawy
    kosztwysylki toimituskulut `,
}

/** Names that are right for their field, and yet mean it less surely than others of the same file. */
const weaker: Readonly<Record<string, number>> = {
  reference: 45,
  number: 40,
  order: 20,
  ordre: 20,
  bestellung: 20,
  auftrag: 20,
  orderid: 8,
  ordreid: 8,
  bestellid: 8,
  idorder: 8,
  entityid: 30,
  outboundid: 8,
  po: 10,
  pono: 5,
  podate: 15,
  processedat: 25,
  timestamp: 15,
  vom: 15,
  basecurrencycode: 15,
  ordername: 5,
  invoiceno: 15,
  invno: 15,
  invnr: 15,
  invnum: 15,
  invoicenumber: 15,
  date: 15,
  datetime: 15,
  time: 40,
  created: 10,
  dato: 15,
  datum: 15,
  invoicedate: 12,
  invdate: 12,
  description: 10,
  beschreibung: 10,
  beskrivelse: 10,
  text: 15,
  tekst: 15,
  descr: 10,
  title: 4,
  code: 15,
  no: 12,
  nr: 12,
  nummer: 12,
  number_line: 12,
  itemnumber: 2,
  commande: 20,
  btw: 20,
  tva: 20,
  ustin: 5,
  mwstin: 5,
  suburb: 5,
  montant: 25,
  totaal: 25,
  dispatch: 30,
  ref: 20,
  externalid: 30,
  model: 11,
  mpn: 15,
  cost: 15,
  unitcost: 8,
  count: 20,
  units: 10,
  amount: 35,
  total: 25,
  totals: 25,
  sum: 20,
  summe: 20,
  subtotal: 15,
  belob: 15,
  belop: 15,
  belopp: 15,
  betrag: 15,
  ialt: 20,
  gesamt: 10,
  address: 3,
  street: 5,
  adresse: 3,
  adress: 3,
  anschrift: 3,
  place: 10,
  line1: 10,
  line2: 10,
  str: 10,
  options: 5,
  attributes: 10,
  contact: 20,
  kontakt: 20,
  state: 0,
  by: 5,
  ort: 2,
  land: 2,
  partner: 40,
  shipping: 30,
  delivery: 30,
  versand: 30,
  levering: 30,
  fragt: 30,
  frakt: 30,
  leverans: 30,
  forsendelse: 30,
  carrier: 12,
  carriername: 10,
  courier: 12,
  vat: 20,
  tax: 20,
  moms: 20,
  mwst: 20,
  mva: 20,
  ust: 20,
  steuer: 20,
  weight: 5,
  nb: 10,
  co: 25,
  etage: 10,
  extra: 40,
  message: 10,
  data: 15,
  fecha: 15,
  numero: 40,
  codice: 15,
  codigo: 15,
  kod: 15,
  symbol: 15,
  referencia: 45,
  referentie: 45,
  riferimento: 45,
  referencenumber: 30,
  referenceno: 30,
  documentno: 50,
  documentnumber: 50,
  documentdate: 30,
  orderlistno: 30,
  ordine: 20,
  pedido: 20,
  encomenda: 20,
  zamowienie: 20,
  tilaus: 20,
  objednavka: 20,
  iva: 20,
  alv: 20,
  dph: 20,
  stawka: 20,
  importe: 15,
  importo: 15,
  totale: 25,
  wartosc: 15,
  kwota: 25,
  yhteensa: 20,
  nazwa: 15,
  descrizione: 10,
  descripcion: 10,
  kuvaus: 10,
  details: 20,
  detail: 20,
  nome: 2,
  nombre: 4,
  adres: 3,
  ulica: 3,
  wer: 15,
  who: 15,
  hvem: 15,
  vem: 15,
  wie: 15,
  was: 15,
  what: 15,
  wann: 20,
  when: 20,
  wohin: 15,
  finalprice: 10,
  dostawa: 30,
  doprava: 30,
  received: 20,
  receiveddate: 20,
  externaldocumentno: 20,
  externalreference: 20,
  info: 20,
  paczkomat: 10,
}

/** Sure words in the opposite order of `Words`: word → fact. */
function byWord<Fact extends string>(words: Readonly<Partial<Record<Fact, string>>>): Map<string, Fact[]> {
  const facts = new Map<string, Fact[]>()
  for (const [fact, text] of entriesOf(words))
    for (const word of (text ?? '').split(/\s+/)) facts.set(word, [...new Set([...(facts.get(word) ?? []), fact])])
  return facts
}
const partyFacts = byWord(partyWords)
const lineFacts = byWord(lineWords)
const orderFacts = byWord(orderWords)
const roleWords = [...byWord(roles)]
  .flatMap(([word, [role]]) => (role ? [{ word, role }] : []))
  .sort((one, other) => other.word.length - one.word.length)

const startingWith = Map.groupBy(roleWords, ({ word }) => word[0] ?? '')
const endingWith = Map.groupBy(roleWords, ({ word }) => word.at(-1) ?? '')

/** Stands between a role and its fact and adds nothing: `Lieferadresse PLZ`, `billing_address_city`, `Empfänger-Name`. */
const fillers = [
  'addresses',
  'address',
  'adresse',
  'adress',
  'adres',
  'addr',
  'indirizzo',
  'direccion',
  'osoite',
  'adresa',
  'morada',
  'anschrift',
  'details',
  'party',
  'to',
  'til',
  'till',
  'the',
  'of',
  's',
]

const addressWords: ReadonlySet<string> = new Set(fillers.slice(0, fillers.indexOf('details')))

/** A recipient who is called the customer as well is the recipient. */
const withRole = (role: Role | null, further: Role): Role =>
  further === 'customer' && (role === 'ship' || role === 'bill') ? role : further

/** A line of charges for the delivery: `Shipping Line Title` names no product. */
const ofShippingLine = /^shippinglines?/

const roleOf = new Map(roleWords.map(({ word, role }) => [word, role]))
const rank: readonly Role[] = ['order', 'customer', 'line', 'bill', 'ship']

/** The words of a name one by one, with the word for the address between them or not: `adres_verz_straat` is the street of the recipient. */
function wordByWord(tokens: readonly string[]): { role: Role | null; rest: string } | null {
  let role: Role | null = null
  const rest: string[] = []
  for (const token of tokens) {
    const known = roleOf.get(token)
    if (known && (role === null || rank.indexOf(known) > rank.indexOf(role))) role = known
    if (!known && !fillers.includes(token)) rest.push(token)
  }
  return role === null || rest.length === 0 || rest.length === tokens.length ? null : { role, rest: rest.join('') }
}

const openWords = new Set('remaining open outstanding offen offene rest resterende backorder'.split(' '))
const doneWords = new Set(
  `shipped delivered sent dispatched refunded returned cancelled canceled invoiced allocated picked levererat leveret levert sendt skickat geliefert
  versendet storniert berechnet verzonden geleverd livre livree expedie spedita consegnata enviada entregada toimitettu wyslano dostarczono`.split(
    /\s+/,
  ),
)

/** What of the pieces of a line is still to be sent, and what was sent, taken back or billed already. */
function quantityOf(tokens: readonly string[]): 'qty_open' | 'qty_done' | null {
  const open = tokens.some(token => openWords.has(token)) || /to(?:be)?ship/.test(tokens.join(''))
  const done = tokens.some(token => doneWords.has(token))
  if (!open && !done) return null
  const rest = tokens.filter(
    token => !openWords.has(token) && !doneWords.has(token) && !['to', 'be', 'ship', 'line', 'item'].includes(token),
  )
  return lineFacts.get(rest.join(''))?.includes('qty') ? (done ? 'qty_done' : 'qty_open') : null
}

/** Words that turn a name around: `supplier name`, `purchase price`, `return address`, `VAT code`. */
const turning = new Set(
  `supplier vendor seller store shop merchant warehouse sender return returns purchase cost previous old parent tracking commission tax vat moms mwst
  mva ust btw tva iva alv dph is has payment user session channel kanal platform website campaign leverandor lieferant einkaufspreis ek inkopspris kostpris status type kind method file`.split(
    /\s+/,
  ),
)

const isPostcode = (token: string) => partyFacts.get(token)?.includes('postcode')
const isCity = (token: string) => partyFacts.get(token)?.includes('city')
/** `Postnr. og by`, `PLZ / Ort`: both in one cell. */
const namesPostcodeAndCity = (tokens: readonly string[]): boolean =>
  tokens.some((token, at) => isPostcode(token) || isPostcode(token + (tokens[at + 1] ?? ''))) && tokens.some(isCity)

const bySeller = /^(?:seller|merchant|vendor)s?(?=order|outbound|purchase)/

/** `order_line.line_type`, `item_item_type`: the kind of a row, where its values are kinds. */
const kindWord = /^(?:line|row|item|position|pos)?(?:type|kind|typ|art)$/

const numberWord = /^(?:no|nr|number|nummer|num|numero|id|code)$/
/** Numbers that a seller gives a product go before those of the place where it is sold. */
const ofSeller = /^(?:seller|merchant|offer|vendor|own|supplier)s?(?=sku|article|item|product)/

const orderIds = new Set(['orderid', 'ordreid', 'bestellid', 'idorder', 'entityid', 'id'])

const inclusive = new Set(
  'incl inkl including inclusive inklusive inclusief brutto gross ttc mit med inc ink with inclusa incluso incluido incluida con sis verollinen compresa comprese taxed'.split(
    ' ',
  ),
)
const exclusive = new Set(
  'excl exkl ekskl excluding exclusive eksklusive netto net eks ex ht ohne uden uten utan without exc before sin senza esclusa escluso excluido veroton bez sem untaxed'.split(
    ' ',
  ),
)
const taxWords = new Set('vat tax taxes moms mwst mva ust gst steuer btw tva iva alv dph'.split(' '))
/** The same written as one word: `inklmoms`, `taxincl`, `priceinclvat`. */
const joinedVat =
  /(incl|inkl|inc|ink|excl|exkl|ekskl|eks|ex|ohne|uden)(?:usive|uding)?(vat|tax|moms|mwst|mva)|(tax|vat|moms|mwst)(incl|inkl|excl|exkl)(?:uded|usive)?/

const tokensOf = (header: string): string[] =>
  fold(header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .split(/[^a-z0-9]+/)
    .filter(token => token !== '')

/** A name without what it says of VAT, and what that is. */
function splitVat(header: string): { words: string; vat: Meaning['vat'] } {
  const tokens = tokensOf(header)
  // `Hinta (alv 0 %)`: at a rate of zero, a price is one without VAT.
  // `Cena s DPH`: the word is too short to say anything elsewhere.
  const together = tokens.findIndex((token, at) => token === 's' && taxWords.has(tokens[at + 1] ?? ''))
  if (together > 0) return { words: tokens.toSpliced(together, 2).join(''), vat: 'incl' }
  const zero = tokens.findIndex((token, at) => taxWords.has(token) && tokens[at + 1] === '0')
  if (zero > 0) return { words: tokens.toSpliced(zero, 2).join(''), vat: 'excl' }
  const joined = joinedVat.exec(tokens.join(''))
  const marks = tokens.filter(token => inclusive.has(token) || exclusive.has(token))
  if (marks.length > 0) {
    const rest = tokens.filter(token => !inclusive.has(token) && !exclusive.has(token) && !taxWords.has(token))
    return { words: rest.join(''), vat: marks.some(mark => exclusive.has(mark)) ? 'excl' : 'incl' }
  }
  if (joined) {
    const mark = joined[1] ?? joined[4] ?? ''
    return { words: tokens.join('').replace(joined[0], ''), vat: exclusive.has(mark) ? 'excl' : 'incl' }
  }
  // `Bruttopreis`, `Nettopris`, `Gesamtpreis brutto` written together.
  const compound = /^(?:brutto|netto|(?:brut|gross|net)(?=pric|pris|preis|prijs|prix|total|amount))(?=\w)/.exec(tokens.join(''))
  if (compound) return { words: tokens.join('').slice(compound[0].length), vat: compound[0].startsWith('net') ? 'excl' : 'incl' }
  return { words: tokens.join(''), vat: null }
}

/** A name as roles and the rest: `Delivery address: City` → ship, `city`. The last role counts. */
function* readings(words: string, role: Role | null = null, depth = 0): Generator<{ role: Role | null; rest: string }> {
  yield { role, rest: words }
  if (role !== null)
    for (const filler of fillers) {
      if (words.startsWith(filler)) yield { role, rest: words.slice(filler.length) }
      if (words.endsWith(filler)) yield { role, rest: words.slice(0, -filler.length) }
    }
  if (depth === 3) return
  for (const known of startingWith.get(words[0] ?? '') ?? [])
    if (words.startsWith(known.word) && !(ofShippingLine.test(words) && !ofShippingLine.test(known.word)))
      yield* readings(words.slice(known.word.length), withRole(role, known.role), depth + 1)
  for (const known of endingWith.get(words.at(-1) ?? '') ?? [])
    if (words.length > known.word.length + 1 && words.endsWith(known.word) && !words.startsWith(known.word))
      yield* readings(words.slice(0, -known.word.length), role === null || role === 'order' ? known.role : role, depth + 1)
}

const billFields: Partial<Record<PartyFact, CsvField>> = {
  name: 'bill_name',
  first_name: 'bill_first_name',
  middle_name: 'bill_middle_name',
  last_name: 'bill_last_name',
  company: 'bill_company',
  address1: 'bill_address1',
  street_number: 'bill_street_number',
  address2: 'bill_address2',
  postcode: 'bill_postcode',
  city: 'bill_city',
  country: 'bill_country',
}
/** Where to reach the recipient is mostly written once, with the customer or the bill. */
const shared: readonly PartyFact[] = ['phone', 'email']

function partyMeaning(fact: PartyFact, role: Role | null): { field: CsvField; score: number } | null {
  if (role === 'ship') return { field: `ship_${fact}`, score: 90 }
  if (role === null) return { field: `ship_${fact}`, score: 75 }
  if (shared.includes(fact)) return { field: `ship_${fact}`, score: role === 'line' ? 0 : 65 }
  const field = billFields[fact]
  if (!field || role === 'line') return null
  return { field, score: role === 'bill' ? 90 : role === 'customer' ? 60 : 50 }
}

const priceField = (fact: 'price' | 'line_total', vat: Meaning['vat']): CsvField =>
  `${fact === 'price' ? 'unit_price' : 'line_total'}_${vat === 'incl' ? 'incl' : 'excl'}_vat`

/** What a role alone means: a column `Customer`, `Shipping address`, `Product`. */
const roleAlone: Partial<Record<Role, { field: CsvField; score: number }>> = {
  ship: { field: 'ship_name', score: 60 },
  bill: { field: 'bill_name', score: 50 },
  customer: { field: 'bill_name', score: 58 },
  line: { field: 'name', score: 72 },
}

const lastWord = /^(.*\w)[\s(/_-]+([A-Z]{3})\)?$/

/** The currency at the end of a column's name, and the name without it: `Preis CHF`, `Unit price (EUR)`. */
export function splitCurrency(header: string): { name: string; currency: string | null } {
  const [, name = '', code = ''] = lastWord.exec(header.trim()) ?? []
  return isCurrency(code) ? { name, currency: code } : { name: header, currency: null }
}

/** Words of a party that stand for how something is paid where they stand alone. */
const methods: ReadonlySet<string> = new Set(['payment', 'facturation'])

/** The shop that an order came from is no number of the order. */
const ofShop = /^(?:web)?shop(?:name|navn|namn|id|nr|no|number|nummer|code)$/

/** Where a carrier lives is no address of the order. */
const ofCarrier =
  /^(?:carriers?|couriers?|transport[oe]u?r|spediteur)(?=.*(?:address|street|place|city|town|post|zip|zone|country|phone|business|company))/

/** Every meaning of a column's name, the surest first. None for names that are not known. */
export function meaningsOf(written: string): Meaning[] {
  if (isRowNumber(written) || ofShop.test(bare(written)) || ofCarrier.test(bare(written))) return []
  const known = wholeMeanings(written)
  const hint = /^(\S.{1,60}?) ?\([^()]{1,60}\)$/.exec(written.trim())?.[1]
  const composed = composedMeanings(splitCurrency(written).name)
  // A name that is known as a whole goes first, unless its parts say clearly more.
  if (known.length === 0 || ((composed[0]?.words ?? 0) > 1 && (composed[0]?.score ?? 0) >= (known[0]?.score ?? 0) + 10))
    if (composed.length > 0) return composed
  if (known.length > 0) return known
  // `Ländercode (2 Buchstaben)`: how it is written. Behind a number, brackets hold its unit.
  if (hint) return meaningsOf(hint).filter(({ field }) => /^(?:ship|bill)_/.test(field))
  const [, group = '', fact = ''] = /^(.{2,40}?)(?:\s+[-–>|]\s+|\s*[:/]\s*)(.{2,})$/.exec(written.trim()) ?? []
  if (fact === '') return known
  const [grouped, own] = [wholeMeanings(group).map(({ field }) => field), wholeMeanings(fact)]
  // `Date - Order Date`: the group says nothing else than the fact does.
  return own
    .filter(({ field }) => grouped.length === 0 || grouped.includes(field) || (dated(field) && grouped.some(dated)))
    .map(meaning => ({ ...meaning, score: meaning.score - 12 }))
}

const dated = (field: Meaning['field']): boolean => isOneOf(dateFields, field)

/** A part of a name that is known where the whole is not: `GoodsOwnerOrderNumber`, `Offer SKU`. Never sure. */
export function partialMeanings(written: string): Meaning[] {
  const tokens = tokensOf(splitCurrency(written).name)
  if (tokens.length < 2 || tokens.length > 6 || tokens.some(token => turning.has(token))) return []
  // `Customer title` is no title of a product.
  const ofParty = tokens.some(token => ['ship', 'bill', 'customer'].includes(roleOf.get(token) ?? ''))
  for (let length = tokens.length - 1; length > 0; length--)
    for (let start = tokens.length - length; start >= 0; start--) {
      const meanings = wholeMeanings(tokens.slice(start, start + length).join(' ')).filter(
        ({ field, score }) => score >= 60 && !(ofParty && isOneOf(lineFields, field)),
      )
      // Of two words that are known together, a third one changes little.
      if (meanings.length > 0) return meanings.map(meaning => ({ ...meaning, score: Math.min(meaning.score - 30, length > 1 ? 50 : 40) }))
    }
  return []
}

/** The beginning that all names of a file share, as tables of some programs have it; it says nothing. */
export function sharedPrefix(headers: readonly string[]): string {
  const [first = ''] = headers
  if (headers.length < 5) return ''
  let length = first.length
  for (const header of headers) while (!header.startsWith(first.slice(0, length))) length--
  return length >= 2 && headers.every(header => header.length > length) ? first.slice(0, length) : ''
}

function wholeMeanings(written: string): Meaning[] {
  const header = splitCurrency(written).name
  // A number that a spreadsheet or this program put behind a repeated name says nothing.
  const whole = bare(header.replace(/\s\(\d+\)$/, ''))
  // `name` is a column of our own files too, but in others it may be a person.
  const own = CsvField.options.find(field => field !== 'name' && bare(field) === whole)
  if (own) return [{ field: own, score: 100, vat: own.endsWith('incl_vat') ? 'incl' : own.endsWith('excl_vat') ? 'excl' : null }]
  const { words, vat } = splitVat(header)
  const found = new Map<string, Meaning>()
  const add = (field: Meaning['field'], score: number, word: string) => {
    // A reference may be the product's: what stands in it decides.
    const doubt = weaker[word] ?? 0
    const meaning = { field, score: score - (field === 'sku' ? Math.min(doubt, 20) : doubt), vat }
    const known = found.get(field)
    if (meaning.score > 0 && (!known || known.score < meaning.score)) found.set(field, meaning)
  }
  const tokens = tokensOf(header)
  const quantity = lineFacts.get(words)?.includes('qty') ? null : quantityOf(tokens)
  if (quantity) return [{ field: quantity, score: 90, vat: null }]
  if (namesPostcodeAndCity(tokens)) {
    const role = tokens.map(token => roleOf.get(token)).find(known => known !== undefined)
    return [{ field: role === 'bill' ? 'bill_postcode' : 'ship_postcode', score: 80, vat: null }]
  }
  for (const field of orderFacts.get(words) ?? []) add(field, 92, words)
  for (const field of orderFacts.get(whole) ?? []) add(field, 92, whole)
  // On a market place, the seller's number of an order stands beside that of the place.
  if (bySeller.test(whole) && orderFacts.get(whole.replace(bySeller, ''))?.includes('order_no')) add('order_no', 70, '')
  // Beside an order number, the id is the one of the shop's database.
  if (orderIds.has(whole)) add('external_id', 60, '')
  // Of the order where the products have a column of their own.
  if (words === 'code' || words === 'ref') add('order_no', 35, '')
  // `Tax` may be a rate, or the amount of the order.
  if (taxWords.has(words)) add('tax_total', 30, '')
  if (/^(?:no|nr|num|nummer|numero|lfdnr)$/.test(words)) add('order_no', 38, '')
  const numbered = /^(.*?)\d+$/.exec(words)
  const single = wordByWord(tokens)
  for (const { role, rest } of single ? [...readings(words), single] : readings(words)) {
    if (rest === '') {
      // `Customer address` is no name.
      const alone = role && !methods.has(words) && !tokens.some(token => addressWords.has(token)) && roleAlone[role]
      if (alone) add(alone.field, alone.score, '')
      continue
    }
    for (const fact of role === 'line' ? [] : (partyFacts.get(rest) ?? [])) {
      const meaning = partyMeaning(fact, role)
      if (meaning) add(meaning.field, meaning.score, rest)
      // Beside the columns of a delivery address, those without a role are the customer's.
      const other = role === null ? billFields[fact] : undefined
      if (other) add(other, 48, '')
      // Where the bill has columns of its own, the customer is the recipient.
      if (role === 'customer' && !shared.includes(fact)) add(`ship_${fact}`, 46, '')
    }
    if (role === 'line' && /^(?:amount)?currency$/.test(rest)) add('currency', 70, '')
    if (role === 'line' || role === null)
      for (const fact of lineFacts.get(rest) ?? []) {
        // Without a word for the line, `number` and the like are rather the order's.
        const score = role === 'line' ? 90 : fact === 'sku' && (weaker[rest] ?? 0) >= 12 ? 40 : 78
        if (fact === 'price' || fact === 'line_total') add(priceField(fact, vat), score, rest)
        else if (fact === 'weight') add('weight_kg', score, rest)
        else add(fact, fact === 'sku' && ofSeller.test(words) ? 94 : score, rest)
      }
    if (role === 'line') for (const field of orderFacts.get(rest) ?? []) if (isOneOf(lineFields, field)) add(field, 88, rest)
    if (role === 'line' && kindWord.test(rest)) add('line_type', 80, '')
    if (role === 'customer' && numberWord.test(rest)) add('customer_no', 80, '')
    if (role === 'order') {
      if (/^(n|number|no|nr|nummer|id|reference|ref|code|name|num|numero|numer|cislo|snummer|snr)$/.test(rest))
        add('order_no', 88, rest === 'id' ? 'orderid' : '')
      for (const field of orderFacts.get(rest) ?? []) if (field !== 'order_no') add(field, 85, rest)
      for (const fact of lineFacts.get(rest) ?? []) if (fact === 'qty' || fact === 'barcode') add(fact, 60, rest)
    }
  }
  if (numbered?.[1] && /^(lineitem|lineitems|item|product|produkt|orderitem)$/.test(numbered[1])) add('items', 80, '')
  return [...found.values()].sort((one, other) => other.score - one.score)
}
