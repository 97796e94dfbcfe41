/** Every feature of the server, the tasks of the queue, and the schedules. */

import type { FastifyInstance } from 'fastify'
import { crateRulesServer } from '#features/catalog/crates/crate-rules.server.ts'
import { crateTypesServer } from '#features/catalog/crates/crate-types.server.ts'
import { productLinksServer } from '#features/catalog/product-links/product-links.server.ts'
import { importProducts } from '#features/catalog/products/import-products.task.ts'
import { productsServer } from '#features/catalog/products/products.server.ts'
import { aboutServer } from '#features/company/about/about.server.ts'
import { endAccessLog } from '#features/company/access-log/old-accesses.task.ts'
import { announcementsServer } from '#features/company/announcements/announcements.server.ts'
import { apiKeysServer } from '#features/company/api-keys/api-keys.server.ts'
import { cmsKeysServer } from '#features/company/api-keys/cms-keys.server.ts'
import { boardsServer } from '#features/company/boards/boards.server.ts'
import { cachesServer } from '#features/company/caches/caches.server.ts'
import { liveServer } from '#features/company/change-stream/change-stream.server.ts'
import { companyServer } from '#features/company/companies/companies.server.ts'
import { settingChangesServer } from '#features/company/companies/setting-changes.server.ts'
import { endSettingChanges } from '#features/company/companies/setting-changes.task.ts'
import { customsNumbersServer } from '#features/company/customs-numbers/customs-numbers.server.ts'
import { exchangeRatesServer } from '#features/company/exchange-rates/exchange-rates.server.ts'
import { fetchRates } from '#features/company/exchange-rates/fetch-rates.task.ts'
import { groupsServer } from '#features/company/groups/groups.server.ts'
import { jobsServer } from '#features/company/jobs/jobs.server.ts'
import { packingPinServer } from '#features/company/packing-pin/packing-pin.server.ts'
import { savedViewsServer } from '#features/company/saved-views/saved-views.server.ts'
import { deviceSessionsServer } from '#features/company/session/device-sessions.server.ts'
import { providerLoginServer } from '#features/company/session/provider-login.server.ts'
import { secondFactorLoginServer } from '#features/company/session/second-factor-login.server.ts'
import { sessionServer } from '#features/company/session/session.server.ts'
import { addSetup } from '#features/company/setup/setup.server.ts'
import { identityProofsServer } from '#features/company/sign-in-provider/identity-proofs.server.ts'
import { signInProviderServer } from '#features/company/sign-in-provider/sign-in-provider.server.ts'
import { tagsServer } from '#features/company/tags/tags.server.ts'
import { credentialsServer } from '#features/company/users/credentials.server.ts'
import { endSessionsWithoutFactor } from '#features/company/users/missing-factors.task.ts'
import { mySettingsServer } from '#features/company/users/my-settings.server.ts'
import { mailForgottenPassword, passwordLinksServer } from '#features/company/users/password-links.server.ts'
import { secondFactorsServer } from '#features/company/users/second-factors.server.ts'
import { usersServer } from '#features/company/users/users.server.ts'
import { customersServer } from '#features/customers/customers/customers.server.ts'
import { writeAnnouncementMail } from '#features/deliveries/mail/announcement-mail.server.ts'
import { writeHeldClipMail } from '#features/deliveries/mail/held-clip-mail.server.ts'
import { mailServer } from '#features/deliveries/mail/mail.server.ts'
import { sendMail } from '#features/deliveries/mail/mail-sender.server.ts'
import { writePasswordLinkMail } from '#features/deliveries/mail/password-link-mail.server.ts'
import { writePrinterAlertMail } from '#features/deliveries/mail/printer-alert-mail.server.ts'
import { writeFactorsResetMail, writeNewDeviceMail } from '#features/deliveries/mail/sign-in-mail.server.ts'
import { outboxServer } from '#features/deliveries/outbox/outbox.server.ts'
import { sendDueDeliveries } from '#features/deliveries/outbox/send-deliveries.task.ts'
import { shopApiServer } from '#features/deliveries/shop-api/shop-api.server.ts'
import { backfillOrders, sweepShop } from '#features/deliveries/shop-connections/backfill.task.ts'
import { pullConnectedShops, sweepConnectedShops } from '#features/deliveries/shop-connections/pull-shops.task.ts'
import { pushToShop } from '#features/deliveries/shop-connections/push-orders.server.ts'
import { shopConnectionsServer } from '#features/deliveries/shop-connections/shop-connections.server.ts'
import { smsServer } from '#features/deliveries/sms/sms.server.ts'
import { writeWebhookMail } from '#features/deliveries/webhooks/webhook-mail.server.ts'
import { sendWebhooks } from '#features/deliveries/webhooks/webhook-sender.server.ts'
import { webhooksServer } from '#features/deliveries/webhooks/webhooks.server.ts'
import { endWebhookData, watchPauses } from '#features/deliveries/webhooks/webhooks.task.ts'
import { claimKitsServer } from '#features/desk/claim-kits/claim-kits.server.ts'
import { companyClosingServer } from '#features/desk/company-closing/company-closing.server.ts'
import { endClosedCompanies, eraseCompany } from '#features/desk/company-closing/erase-company.task.ts'
import { companyExportsServer } from '#features/desk/company-exports/company-exports.server.ts'
import { endOldCompanyExports, exportCompany } from '#features/desk/company-exports/export-company.task.ts'
import { companyLimitsServer } from '#features/desk/company-limits/company-limits.server.ts'
import { addUpFileSizes, checkFileSizes } from '#features/desk/company-limits/file-sizes.task.ts'
import { customerPageServer } from '#features/desk/customer-page/customer-page.server.ts'
import { erasureServer } from '#features/desk/erasure/erasure.server.ts'
import { endExports, erasePersons, startErasures } from '#features/desk/erasure/erasure.task.ts'
import { firstStepsServer } from '#features/desk/first-steps/first-steps.server.ts'
import { packingEvidenceServer } from '#features/desk/packing-evidence/packing-evidence.server.ts'
import { returnPageServer } from '#features/desk/return-page/return-page.server.ts'
import { settingsSearchServer } from '#features/desk/settings-search/settings-search.server.ts'
import { whyNotServer } from '#features/desk/why-not/why-not.server.ts'
import { writeDeadlineAlarmMail } from '#features/insight/deadline-board/alarm-mail.server.ts'
import { deadlineBoardServer } from '#features/insight/deadline-board/deadline-board.server.ts'
import { watchDeadlines } from '#features/insight/deadline-board/watch-deadlines.task.ts'
import { countActivity } from '#features/insight/figures/count-activity.task.ts'
import { figuresServer } from '#features/insight/figures/figures.server.ts'
import { statisticsServer } from '#features/insight/statistics/statistics.server.ts'
import { bulkInvoicingServer } from '#features/invoicing/bulk-invoicing/bulk-invoicing.server.ts'
import { writeInvoiceMail, writeInvoiceSample } from '#features/invoicing/invoices/invoice-mail.server.ts'
import { bulkInvoiceOrdersServer, invoicesServer } from '#features/invoicing/invoices/invoices.server.ts'
import { addUpInvoiceQueue, checkInvoiceQueue } from '#features/invoicing/invoices/queue-counts.task.ts'
import { writeAlertMail } from '#features/messages/alert-mails/alert-mail.server.ts'
import { decisionLinksServer, orderQuestionsServer } from '#features/messages/decision-links/decision-links.server.ts'
import { tidyLinks } from '#features/messages/decision-links/decision-links.task.ts'
import { pollGateways } from '#features/messages/messages/gateway-news.server.ts'
import { messagesServer } from '#features/messages/messages/messages.server.ts'
import { queueOccasion } from '#features/messages/messages/occasion-messages.server.ts'
import { askAboutMissing } from '#features/messages/messages/question-messages.task.ts'
import { forgetMessages, sendMessages } from '#features/messages/messages/send-messages.task.ts'
import { templatesServer } from '#features/messages/templates/templates.server.ts'
import { trackingHelpServer } from '#features/messages/tracking-help/tracking-help.server.ts'
import { additionalProductsServer } from '#features/orders/additional-products/additional-products.server.ts'
import { bulkJobsServer } from '#features/orders/bulk-jobs/bulk-jobs.server.ts'
import { forgetOldBulkJobs, runBulk } from '#features/orders/bulk-jobs/bulk-jobs.task.ts'
import { deadlinesServer } from '#features/orders/deadlines/deadlines.server.ts'
import { sayLateOrders } from '#features/orders/deadlines/late-orders.task.ts'
import { forgetAlerts, mailAlerts } from '#features/orders/order-alerts/mail-alerts.task.ts'
import { orderAlertSettingsServer, orderAlertsServer } from '#features/orders/order-alerts/order-alerts.server.ts'
import { orderExportsServer } from '#features/orders/order-exports/order-exports.server.ts'
import { exportOrders } from '#features/orders/order-exports/order-exports.task.ts'
import { importOrders } from '#features/orders/order-imports/import-orders.task.ts'
import { orderImportsServer } from '#features/orders/order-imports/order-imports.server.ts'
import { rulePreviewServer } from '#features/orders/order-rules/rule-preview.server.ts'
import { previewRuleTask } from '#features/orders/order-rules/rule-preview.task.ts'
import { closeFinalOrders } from '#features/orders/orders/close-final-orders.task.ts'
import { combinationsServer } from '#features/orders/orders/combinations/combinations.server.ts'
import { orderCommentsServer } from '#features/orders/orders/comments/order-comments.server.ts'
import { addUpOrderCounts, checkOrderCounts } from '#features/orders/orders/counts/order-counts.task.ts'
import { attachOldOrders, startCustomerBackfills } from '#features/orders/orders/customers/customer-backfill.task.ts'
import { refreshChangedCustomers } from '#features/orders/orders/customers/customer-changes.task.ts'
import { giveAllDeadlines } from '#features/orders/orders/deadlines/give-deadlines.task.ts'
import { orderDeadlinesServer } from '#features/orders/orders/deadlines/order-deadlines.server.ts'
import { orderEditsServer } from '#features/orders/orders/edits/order-edits.server.ts'
import { orderLinesServer } from '#features/orders/orders/lines/order-lines.server.ts'
import { orderLocksServer, releaseDueLocks } from '#features/orders/orders/locks/order-locks.server.ts'
import { orderMapsServer } from '#features/orders/orders/maps/order-maps.server.ts'
import { sortNewWords } from '#features/orders/orders/new-words.task.ts'
import { ordersServer } from '#features/orders/orders/orders.server.ts'
import { judgeOrders } from '#features/orders/orders/recheck-orders.task.ts'
import { releaseDueOrders } from '#features/orders/orders/release-due-orders.task.ts'
import { shopHistoriesServer, statusHistoriesServer } from '#features/orders/orders/status-histories/status-histories.server.ts'
import { shopWebhooksServer } from '#features/orders/shop-webhooks/shop-webhooks.server.ts'
import { tagRulesServer } from '#features/orders/tag-rules/tag-rules.server.ts'
import { approvalRulesServer, approvalsServer } from '#features/packing/approval/approval.server.ts'
import { exceptionsServer } from '#features/packing/exceptions/exceptions.server.ts'
import { watchExceptions } from '#features/packing/exceptions/overdue-exceptions.task.ts'
import { leadQuestionsServer } from '#features/packing/packing/lead-questions.server.ts'
import { packingServer } from '#features/packing/packing/packing.server.ts'
import { packingTasks } from '#features/packing/packing/packing.task.ts'
import { packingPhotosServer } from '#features/packing/packing-photos/packing-photos.server.ts'
import { deleteOldPhotos } from '#features/packing/packing-photos/photo-retention.task.ts'
import { cutVideo, finalizeVideo } from '#features/packing/packing-video/finalize-video.task.ts'
import { packingVideoServer } from '#features/packing/packing-video/packing-video.server.ts'
import { deleteOldVideos, endOldUploads } from '#features/packing/packing-video/video-retention.task.ts'
import { serialNumbersServer } from '#features/packing/serial-numbers/serial-numbers.server.ts'
import { importUnits, serialUnitsServer } from '#features/packing/serial-numbers/serial-units.server.ts'
import { packingStationServer } from '#features/packing/station/station.server.ts'
import { weighingsServer } from '#features/packing/weighings/weighings.server.ts'
import { employeesServer } from '#features/people/employees/employees.server.ts'
import { writeClockOutMail, writeClockOutsMail } from '#features/people/punch-clock/clock-out-mails.server.ts'
import { watchPunches } from '#features/people/punch-clock/forgotten-punches.task.ts'
import { punchClockServer } from '#features/people/punch-clock/punch-clock.server.ts'
import { payListsServer } from '#features/people/salary/pay-list.server.ts'
import { makePayListTask } from '#features/people/salary/pay-list.task.ts'
import { salaryServer } from '#features/people/salary/salary.server.ts'
import { scheduleServer } from '#features/people/schedule/schedule.server.ts'
import { writeShiftsMail } from '#features/people/schedule/shifts-mail.server.ts'
import { endStaffData } from '#features/people/staff-data/retention.task.ts'
import { staffDataServer } from '#features/people/staff-data/staff-data.server.ts'
import { approveHours } from '#features/people/timesheet/approve-days.task.ts'
import { timesheetServer } from '#features/people/timesheet/timesheet.server.ts'
import { countWorkDays } from '#features/people/work-figures/count-days.task.ts'
import { codeSheetsServer } from '#features/printing/code-sheets/code-sheets.server.ts'
import { orderPapersServer } from '#features/printing/order-papers/order-papers.server.ts'
import { watchPrintAgents } from '#features/printing/print-agents/lost-agents.task.ts'
import { printAgentServer, printAgentsServer } from '#features/printing/print-agents/print-agents.server.ts'
import { printerManagementServer } from '#features/printing/print-agents/printer-management.server.ts'
import { printJobsServer } from '#features/printing/print-jobs/print-jobs.server.ts'
import { printRounds, printTasks } from '#features/printing/print-jobs/send-prints.task.ts'
import { printerAlertsServer } from '#features/printing/printer-alerts/printer-alerts.server.ts'
import { watchOutages } from '#features/printing/printer-alerts/printer-alerts.task.ts'
import { printerChecksServer } from '#features/printing/printer-checks/printer-checks.server.ts'
import { printersServer } from '#features/printing/printers/printers.server.ts'
import { selfTestsServer } from '#features/printing/self-tests/self-tests.server.ts'
import { printSelfTests } from '#features/printing/self-tests/self-tests.task.ts'
import { stationPrintersServer } from '#features/printing/station-printers/station-printers.server.ts'
import { stationsServer } from '#features/printing/stations/stations.server.ts'
import { portalServer } from '#features/returns/portal/portal.server.ts'
import { tidyPortal } from '#features/returns/portal/portal.task.ts'
import { writeReturnMail } from '#features/returns/portal/portal-mail.server.ts'
import { returnRulesServer } from '#features/returns/return-rules/return-rules.server.ts'
import { dryRunTask } from '#features/returns/return-rules/return-rules.task.ts'
import { endReturns } from '#features/returns/returns/end-returns.task.ts'
import { exchangeTask } from '#features/returns/returns/exchange-orders.commands.ts'
import { returnsServer } from '#features/returns/returns/returns.server.ts'
import { rmaLanguagesServer } from '#features/returns/rma-languages/rma-languages.server.ts'
import { addressBookServer } from '#features/shipping/address-book/address-book.server.ts'
import { campaignsServer } from '#features/shipping/campaigns/campaigns.server.ts'
import { forgetCampaignViews } from '#features/shipping/campaigns/campaigns.task.ts'
import { claimRulesServer, claimsServer } from '#features/shipping/claims/claims.server.ts'
import { courierEventsServer } from '#features/shipping/courier-events/courier-events.server.ts'
import { courierWebhooksServer } from '#features/shipping/courier-webhooks/courier-webhooks.server.ts'
import { crateChoiceServer } from '#features/shipping/crate-choice/crate-choice.server.ts'
import { suggestForPickList } from '#features/shipping/crate-choice/crate-suggestions.commands.ts'
import { customsServer } from '#features/shipping/customs/customs.server.ts'
import { bookingTasks } from '#features/shipping/labels/booking.server.ts'
import { labelsServer } from '#features/shipping/labels/labels.server.ts'
import { openBookings } from '#features/shipping/labels/open-bookings.task.ts'
import { askCouriers, trackingTasks } from '#features/shipping/labels/track-shipments.task.ts'
import { parcelShopsServer } from '#features/shipping/parcel-shops/parcel-shops.server.ts'
import { methodTasks, readMethodsAtNight } from '#features/shipping/parcel-shops/read-methods.task.ts'
import { readShopsAtNight, shopTasks } from '#features/shipping/parcel-shops/read-shops.task.ts'
import { pickupsServer } from '#features/shipping/pickups/pickups.server.ts'
import { pricesServer } from '#features/shipping/prices/prices.server.ts'
import { pushedEventsServer } from '#features/shipping/pushed-events/pushed-events.server.ts'
import { shipmentExceptionsServer } from '#features/shipping/shipment-exceptions/shipment-exceptions.server.ts'
import { watchSilentShipments } from '#features/shipping/shipment-exceptions/silent-shipments.task.ts'
import { methodRulesServer } from '#features/shipping/shipping-methods/method-rules.server.ts'
import { shippingMethodsServer } from '#features/shipping/shipping-methods/shipping-methods.server.ts'
import { shopReplacementServer } from '#features/shipping/shop-replacement/shop-replacement.server.ts'
import { trackingServer } from '#features/shipping/tracking/tracking.server.ts'
import { collectListsOwnServer, collectListsServer } from '#features/warehouse/collect-lists/collect-lists.server.ts'
import { watchHandedOver } from '#features/warehouse/collect-lists/overdue-handover.task.ts'
import { mapResultsOwnServer, mapResultsServer } from '#features/warehouse/map-results/map-results.server.ts'
import { failForgottenResults, measureMap } from '#features/warehouse/map-results/measure-map.task.ts'
import { pickListTasks } from '#features/warehouse/pick-lists/optimize.task.ts'
import { watchPickLists } from '#features/warehouse/pick-lists/pick-list-schedules.task.ts'
import { pickListsServer } from '#features/warehouse/pick-lists/pick-lists.server.ts'
import { pickTasksServer } from '#features/warehouse/pick-tasks/pick-tasks.server.ts'
import { freeUnbegun, pauseIdle, pickingServer } from '#features/warehouse/picking/picking.server.ts'
import { slottingOwnServer, slottingServer } from '#features/warehouse/slotting/slotting.server.ts'
import { paperlessOrdersServer, paperlessServer } from '#features/warehouse/totes/paperless.server.ts'
import { wagonRoutesOwnServer, wagonRoutesServer } from '#features/warehouse/wagon-routes/wagon-routes.server.ts'
import { warehouseMapsOwnServer, warehouseMapsServer } from '#features/warehouse/warehouse-maps/warehouse-maps.server.ts'
import type { FeatureModule, Services } from '#platform/http/feature-module.ts'
import { analyzeGrowingTables } from '#platform/jobs/analyze-growing-tables.task.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { monthPartitions } from '#platform/jobs/month-partitions.task.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { erasureParts } from './erasure-parts.ts'
import { settingOwners } from './setting-owners.ts'
import { webhookObjects } from './webhook-objects.ts'

export const features: readonly FeatureModule[] = [
  deviceSessionsServer,
  sessionServer,
  liveServer,
  usersServer,
  passwordLinksServer,
  credentialsServer,
  secondFactorsServer,
  secondFactorLoginServer,
  signInProviderServer,
  providerLoginServer,
  identityProofsServer,
  groupsServer,
  announcementsServer,
  mySettingsServer,
  companyServer,
  settingChangesServer(settingOwners),
  cachesServer,
  settingsSearchServer,
  firstStepsServer,
  erasureServer,
  companyExportsServer,
  companyLimitsServer,
  companyClosingServer,
  customerPageServer(erasureParts),
  returnPageServer,
  jobsServer,
  cmsKeysServer,
  apiKeysServer,
  customersServer,
  bulkJobsServer,
  deadlinesServer,
  ordersServer,
  orderDeadlinesServer,
  orderExportsServer,
  orderLinesServer,
  orderLocksServer,
  orderCommentsServer,
  combinationsServer,
  orderEditsServer,
  orderMapsServer,
  statusHistoriesServer,
  shopHistoriesServer,
  savedViewsServer,
  rulePreviewServer,
  tagRulesServer,
  additionalProductsServer,
  orderAlertsServer,
  orderAlertSettingsServer,
  orderImportsServer,
  shopApiServer,
  shopWebhooksServer,
  productLinksServer,
  tagsServer,
  productsServer,
  crateTypesServer,
  crateRulesServer,
  packingServer,
  leadQuestionsServer,
  weighingsServer,
  exceptionsServer,
  packingPhotosServer,
  packingVideoServer,
  packingStationServer,
  packingPinServer,
  serialNumbersServer,
  serialUnitsServer,
  approvalRulesServer,
  approvalsServer,
  courierEventsServer,
  courierWebhooksServer,
  pushedEventsServer,
  shopReplacementServer,
  shipmentExceptionsServer,
  claimsServer,
  pickupsServer,
  claimRulesServer,
  claimKitsServer,
  packingEvidenceServer,
  labelsServer,
  campaignsServer,
  rmaLanguagesServer,
  portalServer,
  trackingServer,
  shippingMethodsServer,
  methodRulesServer,
  pricesServer,
  crateChoiceServer,
  addressBookServer,
  parcelShopsServer,
  pickingServer,
  printersServer,
  stationPrintersServer,
  selfTestsServer,
  printerChecksServer,
  printJobsServer,
  printAgentsServer,
  printAgentServer,
  printerManagementServer,
  printerAlertsServer,
  paperlessServer,
  paperlessOrdersServer,
  pickTasksServer,
  stationsServer,
  codeSheetsServer,
  orderPapersServer,
  whyNotServer,
  pickListsServer,
  warehouseMapsServer,
  warehouseMapsOwnServer,
  mapResultsServer,
  mapResultsOwnServer,
  slottingServer,
  slottingOwnServer,
  wagonRoutesServer,
  wagonRoutesOwnServer,
  employeesServer,
  scheduleServer,
  statisticsServer,
  deadlineBoardServer,
  figuresServer,
  collectListsServer,
  collectListsOwnServer,
  customsNumbersServer,
  exchangeRatesServer,
  customsServer,
  bulkInvoicingServer,
  invoicesServer,
  bulkInvoiceOrdersServer,
  returnsServer,
  returnRulesServer,
  webhooksServer(webhookObjects),
  shopConnectionsServer,
  mailServer,
  smsServer,
  outboxServer,
  templatesServer,
  decisionLinksServer,
  orderQuestionsServer,
  messagesServer,
  trackingHelpServer,
  boardsServer,
  punchClockServer,
  timesheetServer,
  salaryServer,
  staffDataServer,
  payListsServer,
  aboutServer,
]

export const tasks: Tasks = {
  'company.erase': eraseCompany(erasureParts),
  'company.export': exportCompany,
  'crates.suggest': suggestForPickList,
  'customers.attach': attachOldOrders,
  'customers.erase': erasePersons(erasureParts),
  'orders.bulk': runBulk,
  'orders.export': exportOrders,
  'orders.deadlines': giveAllDeadlines,
  'orders.import': importOrders,
  'products.import': importProducts,
  'serials.import': importUnits,
  'orders.judge': judgeOrders,
  'pay.list': makePayListTask,
  'rules.preview': previewRuleTask,
  'returns.dry_run': dryRunTask,
  'returns.exchange': exchangeTask,
  'maps.measure': measureMap,
  'messages.ask': askAboutMissing,
  'shops.backfill': backfillOrders,
  'shops.sweep': sweepShop,
  'users.forgotten_password': mailForgottenPassword,
  'video.finalize': finalizeVideo,
  'video.cut': cutVideo,
  ...packingTasks,
  ...bookingTasks,
  ...trackingTasks,
  ...methodTasks,
  ...shopTasks,
  ...printTasks,
  ...pickListTasks,
}

export const schedules: readonly ScheduledTask[] = [
  releaseDueLocks,
  watchExceptions,
  endReturns,
  printSelfTests,
  deleteOldPhotos,
  deleteOldVideos,
  endOldUploads,
  releaseDueOrders,
  closeFinalOrders,
  forgetOldBulkJobs,
  addUpOrderCounts,
  checkOrderCounts,
  addUpFileSizes,
  checkFileSizes,
  addUpInvoiceQueue,
  checkInvoiceQueue,
  sortNewWords,
  refreshChangedCustomers,
  endAccessLog,
  endSessionsWithoutFactor,
  endSettingChanges,
  startCustomerBackfills,
  startErasures,
  endExports,
  endOldCompanyExports,
  endClosedCompanies,
  analyzeGrowingTables,
  monthPartitions,
  failForgottenResults,
  freeUnbegun,
  pauseIdle,
  watchPickLists,
  watchHandedOver,
  openBookings,
  askCouriers,
  watchSilentShipments,
  fetchRates,
  readMethodsAtNight,
  readShopsAtNight,
  sendDueDeliveries({
    webhook: sendWebhooks(webhookObjects),
    mail: sendMail({
      'user.password_link': writePasswordLinkMail,
      'user.new_device': writeNewDeviceMail,
      'user.second_factors_reset': writeFactorsResetMail,
      'user.shifts_published': writeShiftsMail,
      'user.clock_out_missing': writeClockOutMail,
      'user.clock_outs_missing': writeClockOutsMail,
      'alert.mail': writeAlertMail,
      'printer_alert.mail': writePrinterAlertMail,
      'deadline_alarm.mail': writeDeadlineAlarmMail,
      'outgoing_webhook.mail': writeWebhookMail,
      'return.mail': writeReturnMail,
      'invoice.mail': writeInvoiceMail,
      'bulk_config.sample': writeInvoiceSample,
      'user.announcement_reminder': writeAnnouncementMail,
      'user.held_clip': writeHeldClipMail,
    }),
    message: queueOccasion,
    shop: pushToShop,
  }),
  watchPauses,
  endWebhookData,
  pullConnectedShops,
  sweepConnectedShops,
  mailAlerts,
  forgetAlerts,
  forgetCampaignViews,
  tidyPortal,
  tidyLinks,
  sendMessages,
  pollGateways,
  forgetMessages,
  ...printRounds,
  watchPrintAgents,
  watchOutages,
  watchPunches,
  approveHours,
  countWorkDays,
  endStaffData,
  countActivity,
  watchDeadlines,
  sayLateOrders,
]

/** Routes outside of all tenants. */
export const publicRoutes: readonly ((app: FastifyInstance, services: Services) => void)[] = [addSetup]
