-- `broken`: the process that stored it is gone, and its run is ended.
ALTER TABLE "Import" DROP CONSTRAINT "Import_state_check";
ALTER TABLE "Import" ADD CONSTRAINT "Import_state_check"
  CHECK ("state" IN ('storing', 'imported', 'refused', 'broken'));
