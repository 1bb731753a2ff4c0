import type pg from 'pg';

/**
 * What a schema asks of a database as one line a fact (a column, a key, an index), so that two shapes are compared
 * as sets of lines. Relations count as foreign keys; checks and expressions of generated columns, which Prisma's
 * language lacks, do not count, nor does an index's method.
 */
export type Shape = string[];

const COLUMN_TYPES: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Boolean: 'boolean',
  Json: 'jsonb',
  Bytes: 'bytea',
  'Unsupported("tsvector")': 'tsvector',
  'DateTime @db.Timestamptz(3)': 'timestamp(3) with time zone',
};

const DELETE_RULES: Record<string, string> = {
  Cascade: 'CASCADE',
  SetNull: 'SET NULL',
  Restrict: 'RESTRICT',
};

/** The shape that `schema.prisma` describes; throws on a type or rule it has no word for. */
export function describeSchema(schema: string): Shape {
  const models = [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)];
  const names = new Set(models.map((model) => model[1]));
  return models
    .flatMap(([, model = '', body = '']) =>
      body
        .split('\n')
        .map((line) => line.replace(/\/\/.*$/, '').trim())
        .filter(Boolean)
        .flatMap((line) =>
          line.startsWith('@@') ? [describeBlock(model, line)] : describeField(model, line, names),
        ),
    )
    .sort();
}

function describeBlock(model: string, line: string): string {
  const [, kind = '', fields = ''] = /^@@(\w+)\(\[([^\]]*)\](?:, type: \w+)?\)$/.exec(line) ?? [];
  const words: Record<string, string> = { id: 'primary key', unique: 'unique', index: 'index' };
  const word = words[kind];
  if (!word) throw new Error(`schema.prisma, model ${model}: cannot read ${line}`);
  return `${model} ${word} (${fields})`;
}

function describeField(model: string, line: string, models: ReadonlySet<string | undefined>): Shape {
  const [, name = '', type = '', suffix = '', attributes = ''] =
    /^(\w+)\s+(\w+(?:\("\w+"\))?)(\[\]|\?)?\s*(.*)$/.exec(line) ?? [];
  if (models.has(type)) return describeRelation(model, type, attributes);
  const native = /@db\.\S+/.exec(attributes)?.[0];
  const column = COLUMN_TYPES[native ? `${type} ${native}` : type];
  if (!column) throw new Error(`schema.prisma, ${model}.${name}: no column type for ${type} ${native ?? ''}`);
  const list = suffix === '[]';
  const nullable = suffix === '?' || list ? 'null' : 'not null';
  return [
    `${model}.${name} ${column}${list ? '[]' : ''} ${nullable}${describeDefault(attributes)}`,
    ...(/@id\b/.test(attributes) ? [`${model} primary key (${name})`] : []),
    ...(/@unique\b/.test(attributes) ? [`${model} unique (${name})`] : []),
  ];
}

function describeDefault(attributes: string): string {
  const [, value] = /@default\((.*?\)?)\)/.exec(attributes) ?? [];
  if (value === undefined) return '';
  const words: Record<string, string> = {
    'autoincrement()': 'sequence',
    'now()': 'now',
    'dbgenerated()': 'generated',
  };
  return ` default ${words[value] ?? value.replaceAll('"', '')}`;
}

function describeRelation(model: string, target: string, attributes: string): Shape {
  const [, fields, references] = /fields: \[([^\]]*)\], references: \[([^\]]*)\]/.exec(attributes) ?? [];
  if (fields === undefined) return [];
  const [, rule = ''] = /onDelete: (\w+)/.exec(attributes) ?? [];
  const words = DELETE_RULES[rule];
  if (!words) throw new Error(`schema.prisma, ${model} to ${target}: no delete rule`);
  return [`${model} (${fields}) references ${target} (${references}) on delete ${words}`];
}

/** The shape that a database has, without the history of its migrations. */
export async function describeDatabase(client: pg.ClientBase | pg.Pool): Promise<Shape> {
  const { rows } = await client.query<{ line: string }>(`
    SELECT format('%s.%s %s %s%s', relname, attname, format_type(atttypid, atttypmod),
        CASE WHEN attnotnull THEN 'not null' ELSE 'null' END,
        CASE WHEN adbin IS NULL THEN ''
          WHEN attgenerated <> '' THEN ' default generated'
          WHEN pg_get_expr(adbin, adrelid) LIKE 'nextval(%' THEN ' default sequence'
          WHEN pg_get_expr(adbin, adrelid) = 'CURRENT_TIMESTAMP' THEN ' default now'
          ELSE ' default ' || trim(BOTH '''' FROM split_part(pg_get_expr(adbin, adrelid), '::', 1)) END) AS line
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef ON adrelid = pg_class.oid AND adnum = attnum
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
    UNION ALL
    SELECT format('%s %s (%s)', relname,
        CASE WHEN indisprimary THEN 'primary key' WHEN indisunique THEN 'unique' ELSE 'index' END,
        (SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(indkey) WITH ORDINALITY AS key(number, place)
          JOIN pg_attribute ON attrelid = indrelid AND attnum = key.number))
      FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
    UNION ALL
    SELECT format('%s (%s) references %s (%s) on delete %s', source.relname, source_column.attname, target.relname,
        target_column.attname, CASE confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
          WHEN 'r' THEN 'RESTRICT' ELSE 'NO ACTION' END)
      FROM pg_constraint JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
        JOIN pg_attribute source_column ON source_column.attrelid = conrelid AND source_column.attnum = conkey[1]
        JOIN pg_attribute target_column ON target_column.attrelid = confrelid AND target_column.attnum = confkey[1]
      WHERE contype = 'f'`);
  return rows.map((row) => row.line).sort();
}

/** Lines of each that the other lacks. */
export function compareShapes(expected: Shape, actual: Shape): { missing: Shape; unexpected: Shape } {
  return {
    missing: expected.filter((line) => !actual.includes(line)),
    unexpected: actual.filter((line) => !expected.includes(line)),
  };
}
