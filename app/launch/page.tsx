import type { Metadata } from 'next';
import { LaunchScreen } from '@/components/launch/launch-screen';

export const metadata: Metadata = { title: 'Launch' };

export default function LaunchPage() {
  return <LaunchScreen />;
}
