import { Fragment, type ReactNode } from 'react';
import { Link } from '@/components/ui/link';
import { lexer, type Token, type Tokens } from 'marked';

/**
 * Markdown as elements: headings, paragraphs, lists, quotes, code, emphasis and links. Everything else, HTML and pictures among
 * it, is shown as it is written: nothing of a text becomes markup of its own.
 */
export function Markdown({ text }: { text: string }) {
  return <div className="flex max-w-[80ch] flex-col gap-2 break-words">{blocksOf(lexer(text))}</div>;
}

function blocksOf(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{blockOf(token)}</Fragment>);
}

function blockOf(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
      return null;
    case 'heading':
      return <Heading depth={(token as Tokens.Heading).depth}>{inlineOf(token.tokens)}</Heading>;
    case 'paragraph':
      return <p>{inlineOf(token.tokens)}</p>;
    case 'text':
      return token.tokens ? inlineOf(token.tokens) : token.raw;
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'blockquote':
      return (
        <blockquote className="border-l-2 border-line-2 pl-3 text-ink-2">
          {blocksOf(token.tokens ?? [])}
        </blockquote>
      );
    case 'code':
      return (
        <pre className="overflow-x-auto rounded-md bg-surface-2 p-2 font-mono text-mono print:whitespace-pre-wrap">
          {(token as Tokens.Code).text}
        </pre>
      );
    case 'hr':
      return <hr className="border-line" />;
    default:
      return <p className="whitespace-pre-wrap">{token.raw}</p>;
  }
}

/** A text's own headings lie below the page's title. */
function Heading({ depth, children }: { depth: number; children: ReactNode }) {
  if (depth <= 1) return <h2 className="text-lg font-semibold">{children}</h2>;
  if (depth === 2) return <h3 className="text-md font-semibold">{children}</h3>;
  return <h4 className="font-semibold">{children}</h4>;
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => <li key={index}>{blocksOf(item.tokens)}</li>);
  return list.ordered ? (
    <ol className="list-decimal pl-5" start={list.start === '' ? 1 : list.start}>
      {items}
    </ol>
  ) : (
    <ul className="list-disc pl-5">{items}</ul>
  );
}

function inlineOf(tokens: readonly Token[] = []): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{inlinePart(token)}</Fragment>);
}

function inlinePart(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlineOf(token.tokens)}</strong>;
    case 'em':
      return <em>{inlineOf(token.tokens)}</em>;
    case 'del':
      return <del>{inlineOf(token.tokens)}</del>;
    case 'codespan':
      return <code className="font-mono text-mono">{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Address link={token as Tokens.Link} />;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return token.tokens ? inlineOf(token.tokens) : (token as Tokens.Text).text;
    default:
      return token.raw;
  }
}

/** A link to a page of this product or over HTTP; any other address is shown as it is written. */
function Address({ link }: { link: Tokens.Link }) {
  const { href, tokens, raw } = link;
  if (/^\/(?!\/)/.test(href))
    return (
      <Link href={href} className="text-link">
        {inlineOf(tokens)}
      </Link>
    );
  if (/^https?:\/\//i.test(href))
    return (
      <a href={href} className="text-link" rel="noreferrer noopener" target="_blank">
        {inlineOf(tokens)}
      </a>
    );
  return raw;
}
