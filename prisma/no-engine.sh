#!/bin/sh
echo "the Prisma schema engine is not used here: migrations run through prisma/migrate.ts" >&2
exit 1
